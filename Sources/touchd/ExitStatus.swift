import Glibc

/// The exit statuses of all commands: those of sysexits.h where it has one.
enum ExitStatus {
    /// The word after `touchd help`.
    static let topic = "exit-status"

    /// Each status, its name in sysexits.h, and when commands end with it. touchd(1) has the same table.
    static let table: [(status: Int32, name: String?, meaning: String)] = [
        (0, nil, "Success; also Ctrl-C for what runs until it is ended: run, record, monitor, inspect."),
        (1, nil, "devices: no device would be used. selftest: a check failed."),
        (
            EX_USAGE, "EX_USAGE",
            "The command line is wrong, or names a page, screen or point that the layout file does not have."
        ),
        (
            EX_DATAERR, "EX_DATAERR",
            "A layout, recording or journal has an error, or the running touchd refused a request."
        ),
        (EX_NOINPUT, "EX_NOINPUT", "A file or device cannot be read."),
        (EX_UNAVAILABLE, "EX_UNAVAILABLE", "Something is missing, such as a running touchd or a touchscreen."),
        (EX_OSERR, "EX_OSERR", "The system refused something."),
        (EX_CANTCREAT, "EX_CANTCREAT", "A file cannot be created."),
        (EX_IOERR, "EX_IOERR", "The output cannot be written, as on a full disk."),
        (
            EX_TEMPFAIL, "EX_TEMPFAIL",
            "The control socket has all its clients, or touchd did not answer in time; a handler may be stuck."
        ),
        (EX_PROTOCOL, "EX_PROTOCOL", "The program at the socket is not touchd."),
        (EX_NOPERM, "EX_NOPERM", "This user may not connect to touchd."),
        (128 + SIGINT, nil, "Ctrl-C, for the other commands."),
        (128 + SIGPIPE, nil, "The reader of the output went away."),
    ]

    static var text: String {
        table.map { row in
            let status = String(row.status), name = row.name.map { " (\($0))" } ?? ""
            return String(repeating: " ", count: 5 - status.count) + "\(status)  \(row.meaning)\(name)\n"
        }.joined()
    }
}
