/// The stable message IDs of touchd's journal entries, for `journalctl MESSAGE_ID=…` and the message catalog.
///
/// They are part of touchd's interface: an ID never changes its meaning and is never reused.
package enum MessageID: String, CaseIterable, Sendable {
    /// A touch began.
    case touchBegan = "96fa9236d3bb4aaa9aff2caea63c8aff"
    /// A touch moved; logged only if moves are enabled, at the configured rate.
    case touchMoved = "46a6827f9bbe42308553f63ec002afcb"
    /// A touch ended.
    case touchEnded = "2d44f8dff13041c482b24b1f0dce8fcc"
    /// A touch was cancelled.
    case touchCancelled = "0dd50a9e1d7d4480b8d1c793b460b8ec"
    /// A recognizer recognized a gesture, or the gesture began, ended or was cancelled.
    case gestureRecognized = "71119da43f144569ad4bc09d28f27189"
    /// A page is shown.
    case pageShown = "e8c4128a04b94459a6261c53231fa334"
    /// A device is now used.
    case deviceAdded = "dda6be2203ee41d4ad373476e9614667"
    /// A device was removed.
    case deviceRemoved = "1ebd3051b9b545958b6eb147392db7db"
    /// A device cannot be used.
    case deviceFailed = "a5d278eab89447558278ab25b4189b9c"
    /// A device that the layout expects is missing.
    case deviceAbsent = "70760491979242c8b310587ae736d063"
    /// A device sent nothing for as long as the layout allows.
    case deviceSilent = "3cd7485850374cb39c679d9eb03caa3d"
    /// A missing or silent device is back.
    case deviceBack = "9ac89290979f40f1aad60bd06613800a"
    /// The machine resumed from suspend, and devices are reopened.
    case resumed = "07d43b961e384f6585f8c04378978a63"
    /// A panel's touches are forwarded to the program that draws the screen.
    case panelForwarded = "d8d40e901e96479db21a1779f460c313"
    /// A panel's touches are not forwarded although its rule has `forward`.
    case notForwarded = "2b480cdf3c27413fa69862a23bab0914"
    /// The main thread does not return, and a forwarded panel is not grabbed any more.
    case panelReleased = "5b66f9c541d942eaa0a231c71a316624"
    /// A layout was loaded.
    case layoutLoaded = "c4ef7dc358b0472d9223adcdfc09455c"
    /// A layout was refused; the previous one stays.
    case layoutRefused = "894b5307c9874b6d9d3e6d07c9d2451a"
    /// touchd now delivers touches; the touches of an earlier run are over.
    case started = "ea3972b462204261b677cd7959cf6e6d"
    /// A handler blocks all touches, and systemd is about to restart the service.
    case handlerStuck = "7f14c966cdc2417c93f7cc6a412cb439"
    /// A handler or another callback delayed all touches noticeably.
    case handlerSlow = "baeb014367c845aeb832af30ecf953a1"
    /// A handler failed.
    case handlerFailed = "61742c8559a845a29dd9db8bd2d42734"
    /// A handler's program did not start or exited with an error.
    case programFailed = "b86da0d0975b4dd6aa71f06946bdfed9"
    /// A handler's program exceeded its time limit and was killed.
    case programTimedOut = "d05c33f1526c4cf582ec3fc7296e31d4"
    /// A handler's program was not started, because the limit of running programs is reached.
    case programLimitReached = "1b21cac3da7e40e688da215167e0df6a"
    /// A handler's message was not delivered.
    case messageNotSent = "208f229ad8484ce38b8cfb76280c1035"
    /// A handler's request did not reach its server or was rejected.
    case requestNotSent = "7d91780270544694a165c12819380c5e"
    /// Journal entries were dropped.
    case entriesDropped = "fb0563bd67214981bbcb6b239a567476"
    /// The control socket failed or refused a client.
    case controlRefused = "50e5f12050024ab5bb4e4996d7034722"
    /// touchd-web refused a page.
    case pageRefused = "6f62033e7192498c9b9f9c6c30d76953"

    /// The journal's field for message IDs.
    package static let field = "MESSAGE_ID"
}
