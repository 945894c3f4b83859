#!/usr/bin/env python3
"""Types command lines into an interactive shell on a terminal, presses Tab after each, and prints what the shell shows.

    press-tab.py bash|zsh|fish SCRIPT <LINES

SCRIPT is touchd's completion script. Nothing here waits for a time: after each Tab the line is removed again, and a command that the
shell runs then ends its output."""
import fcntl, os, pty, re, struct, sys, termios

shell, script = sys.argv[1:]
COMMANDS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"], "fish": ["fish", "--no-config", "-i"],
}
SETUP = {
    "bash": "PS1=READY:; bind 'set show-all-if-ambiguous on'; bind 'set completion-query-items 0'; bind 'set page-completions off'; ",
    "zsh": "PS1=READY:; unsetopt auto_menu prompt_sp; LISTMAX=1000; autoload -U compinit; compinit -u -D; ",
    "fish": "function fish_prompt; echo -n READY:; end; ",
}
process, terminal = pty.fork()
if process == 0:
    # So wide and high that no list is asked about, cut or paged.
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 400, 300, 0, 0))
    os.execvp(COMMANDS[shell][0], COMMANDS[shell])


def output(number):
    """What the shell wrote until it ran an echo, whose own text has no such word, and reads keys again."""
    os.write(terminal, f"echo end''{number}\r".encode())
    text = b""
    while b"READY:" not in text.partition(f"end{number}".encode())[2]:
        text += os.read(terminal, 65536)
    while termios.tcgetattr(terminal)[3] & termios.ICANON:
        pass
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b.", "", text.decode(errors="replace")).replace("\r", "\n")


os.write(terminal, f"{SETUP[shell]}source {script}\r".encode())
output(0)
for number, line in enumerate(sys.stdin.read().splitlines(), 1):
    # Tab, and Ctrl-U, which removes the line.
    os.write(terminal, f"{line}\t\x15".encode())
    print(f"{output(number)}\nTAB {number}", flush=True)
