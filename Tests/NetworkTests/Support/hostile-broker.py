# A TCP peer that implements enough MQTT 3.1.1 to look like a broker, then misbehaves. Prints its port, and per client
# "closed" when the client hangs up, or "kept" when it has accepted 64 MiB. The argument selects what follows CONNACK:
#   message   one message, and waits                        publish2  messages of quality of service 2
#   huge      one packet that announces 256 MiB             acks      confirmations of messages that nobody sent
#   announce  the beginning of such a packet, and waits
#   forget    of a message to "kiosk", nothing for the first client, and for others its confirmation
import socket, struct, sys

limit = 64 * 1024 * 1024

def length(count):
    digits = b""
    while True:
        count, digit = divmod(count, 128)
        digits += bytes([digit | (128 if count else 0)])
        if not count:
            return digits

def publish(qos, number, payload):
    body = struct.pack(">H", 4) + b"evil" + (struct.pack(">H", number) if qos else b"") + payload
    return bytes([0x30 | qos << 1]) + length(len(body)) + body

def pieces(kind):
    number = 0
    while True:
        number = number % 65535 + 1
        if kind == "message":
            yield publish(0, 0, b"x") if number == 1 else b""
        elif kind == "publish2":
            yield publish(2, number, b"x" * 1000)
        elif kind == "acks":
            yield struct.pack(">BBH", 0x40, 2, 0x8000 | number) * 100
        elif kind == "announce" and number > 1:
            yield b""
        elif number == 1:
            yield b"\x30" + length(256 * 1024 * 1024 - 10) + struct.pack(">H", 4) + b"evil"
        else:
            yield b"x" * 10000

first = True
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    client, _ = server.accept()
    client.recv(4096)
    client.sendall(b"\x20\x02\x00\x00")
    if sys.argv[1] == "forget":
        # The message's number follows its topic.
        number = client.recv(4096)[9:11]
        if not first:
            client.sendall(b"\x40\x02" + number)
        first = False
        client.close()
        continue
    sent = 0
    try:
        for piece in pieces(sys.argv[1]):
            client.sendall(piece)
            sent += len(piece)
            if not piece and not client.recv(4096):
                raise OSError
            if sent > limit:
                print("kept", flush=True)
                break
    except OSError:
        print("closed", flush=True)
    client.close()
