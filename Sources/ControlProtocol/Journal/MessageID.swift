import Logging

/// The stable identities of touchd's journal entries, for `journalctl MESSAGE_ID=…` and the message catalogue.
///
/// They are part of touchd's interface: an identity never changes its meaning and is never used again.
public nonisolated enum MessageID: String, CaseIterable, Sendable {
    /// A finger came down.
    case touchBegan = "96fa9236d3bb4aaa9aff2caea63c8aff"
    /// A finger moved; written only where moves were asked for, and then some of them.
    case touchMoved = "46a6827f9bbe42308553f63ec002afcb"
    /// A finger was lifted.
    case touchEnded = "2d44f8dff13041c482b24b1f0dce8fcc"
    /// A touch was interrupted.
    case touchCancelled = "0dd50a9e1d7d4480b8d1c793b460b8ec"
    /// A device is used from now on.
    case deviceAdded = "dda6be2203ee41d4ad373476e9614667"
    /// A device is gone.
    case deviceRemoved = "1ebd3051b9b545958b6eb147392db7db"
    /// A device cannot be used.
    case deviceFailed = "a5d278eab89447558278ab25b4189b9c"
    /// A device that the layout expects is not there.
    case deviceAbsent = "70760491979242c8b310587ae736d063"
    /// A device has said nothing for as long as the layout allows.
    case deviceSilent = "3cd7485850374cb39c679d9eb03caa3d"
    /// A device that was absent or silent is back.
    case deviceBack = "9ac89290979f40f1aad60bd06613800a"
    /// The machine was suspended, and devices are opened again.
    case resumed = "07d43b961e384f6585f8c04378978a63"
    /// A layout was loaded.
    case layoutLoaded = "c4ef7dc358b0472d9223adcdfc09455c"
    /// A layout was refused, and the one before it still rules.
    case layoutRefused = "894b5307c9874b6d9d3e6d07c9d2451a"
    /// touchd answers touches from here on; what an earlier run had begun is over.
    case started = "ea3972b462204261b677cd7959cf6e6d"
    /// A handler holds up all touches, and the service is about to be restarted for it.
    case handlerStuck = "7f14c966cdc2417c93f7cc6a412cb439"
    /// A handler, or something else in the run loop, held up all touches for so long that people notice.
    case handlerSlow = "baeb014367c845aeb832af30ecf953a1"
    /// A handler could not do what it is there for.
    case handlerFailed = "61742c8559a845a29dd9db8bd2d42734"
    /// A handler's program could not be started, or ended badly.
    case programFailed = "b86da0d0975b4dd6aa71f06946bdfed9"
    /// A handler's program took too long, and was ended.
    case programTimedOut = "d05c33f1526c4cf582ec3fc7296e31d4"
    /// A handler's program was not started, since as many run as may.
    case programLimitReached = "1b21cac3da7e40e688da215167e0df6a"
    /// A handler's message did not reach who it was for.
    case messageNotSent = "208f229ad8484ce38b8cfb76280c1035"
    /// A handler's request did not reach its server, or was refused there.
    case requestNotSent = "7d91780270544694a165c12819380c5e"
    /// Entries of the journal are missing here.
    case entriesDropped = "fb0563bd67214981bbcb6b239a567476"
    /// Something about the control socket went wrong, or somebody was turned away there.
    case controlRefused = "50e5f12050024ab5bb4e4996d7034722"

    /// The metadata under which a log line carries its identity to the journal.
    package var metadata: Logger.Metadata { [Self.field: "\(rawValue)"] }

    /// The journal's name for an identity.
    package static let field = "MESSAGE_ID"
}
