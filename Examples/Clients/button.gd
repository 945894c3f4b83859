# Publishes a button in the middle of a slot of touchd's layout, and prints what happens to it.
#
# For Godot 4; not tested. Attach it to a node. It connects through touchd-web: systemctl enable --now touchd-web.socket
extends Node

const SLOT := "page"
const ADDRESS := "127.0.0.1:8348"
var touchd := WebSocketPeer.new()
var is_published := false

func _ready() -> void:
	# touchd-web accepts its own origin, and those in /etc/touchd/web.yaml.
	touchd.handshake_headers = ["Origin: http://" + ADDRESS]
	if touchd.connect_to_url("ws://" + ADDRESS + "/events") != OK:
		stop("cannot connect to touchd-web")

func _process(_delta: float) -> void:
	touchd.poll()
	if touchd.get_ready_state() == WebSocketPeer.STATE_CLOSED:
		stop("touchd-web has closed the connection")
		return
	if touchd.get_ready_state() == WebSocketPeer.STATE_OPEN and not is_published:
		is_published = true
		var button := {"id": "button", "frame": ["25%", "25%", "50%", "50%"], "control": "button"}
		touchd.send_text(JSON.stringify({"request": "views", "slot": SLOT, "views": [button]}))
		touchd.send_text(JSON.stringify({"request": "subscribe", "to": ["controls"]}))
	while touchd.get_available_packet_count() > 0:
		var message: Dictionary = JSON.parse_string(touchd.get_packet().get_string_from_utf8())
		if message.has("error"):
			stop(message["error"]["message"])
		elif message.get("event") == "control":
			print(message["control"])
		elif message.get("event") == "slot" and message["change"] != "resized":
			stop("the slot is " + message["change"])

func stop(reason: String) -> void:
	push_error(reason)
	set_process(false)
