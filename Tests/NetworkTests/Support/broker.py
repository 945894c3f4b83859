# An MQTT 3.1.1 broker for tests, which serves one client after another. Prints its port, then for each packet a line:
# "connect ID KEEPALIVE WILL", "publish QOS TOPIC PAYLOAD", "subscribe TOPIC", "disconnect", and "closed" when the client
# has gone. It confirms everything, except as the arguments say:
#   reset N          resets the first N connections at the first packet after CONNACK
#   bad              ends the connection when a message "bad" arrives
#   forget N         ends the first connection without a confirmation after N messages
#   silent           never answers
#   code N           refuses the client with this return code
#   denied           refuses subscriptions
import socket, struct, sys

kind, value = (sys.argv[1:] + ["", ""])[:2]
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)


def read(client, count):
    data = b""
    while len(data) < count:
        piece = client.recv(count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


def packet(client):
    first, length, shift = read(client, 1)[0], 0, 0
    while True:
        digit = read(client, 1)[0]
        length |= (digit & 127) << shift
        shift += 7
        if digit < 128:
            return first >> 4, first & 15, read(client, length)


def serve(client, number):
    messages = 0
    while True:
        type_, flags, body = packet(client)
        if type_ == 1:
            has_will, alive = bool(body[7] & 4), struct.unpack(">H", body[8:10])[0]
            size = struct.unpack(">H", body[10:12])[0]
            print("connect", body[12:12 + size].decode() or "-", alive, has_will, flush=True)
            if kind == "silent":
                continue
            client.sendall(bytes([0x20, 2, 0, int(value) if kind == "code" else 0]))
            if kind == "reset" and number <= int(value):
                packet(client)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
        elif type_ == 3:
            qos, size = flags >> 1 & 3, struct.unpack(">H", body[:2])[0]
            topic, rest = body[2:2 + size].decode(), body[2 + size:]
            identifier, payload = (rest[:2], rest[2:]) if qos else (b"", rest)
            print("publish", qos, topic, payload.decode(), flush=True)
            messages += 1
            if kind == "bad" and payload == b"bad":
                return
            if kind == "forget" and number == 1:
                if messages == int(value):
                    return
                continue
            if qos:
                client.sendall(bytes([0x40 if qos == 1 else 0x50, 2]) + identifier)
        elif type_ == 6:
            client.sendall(bytes([0x70, 2]) + body)
        elif type_ == 8:
            topic = body[4:4 + struct.unpack(">H", body[2:4])[0]].decode()
            print("subscribe", topic, flush=True)
            client.sendall(bytes([0x90, 3]) + body[:2] + bytes([0x80 if kind == "denied" else 1]))
        elif type_ == 12:
            client.sendall(b"\xd0\x00")
        elif type_ == 14:
            print("disconnect", flush=True)


number = 0
while True:
    client, _ = server.accept()
    number += 1
    try:
        serve(client, number)
    except (EOFError, OSError):
        print("closed", flush=True)
    client.close()
