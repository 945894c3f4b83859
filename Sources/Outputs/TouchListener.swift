/// Reports what happened: to the journal, standard output, clients.
///
/// Its module knows neither views nor touches, so a listener cannot report what is private: it gets records in which
/// that is concealed already. Everything is called on the main thread: for touches and pages after the handlers, for
/// gestures, controls and idle times before the layout's steps.
package protocol TouchListener: AnyObject {
    /// Whether it wants what is about to be described. If no listener does, nothing is made.
    func wants(_ header: EventHeader) -> Bool

    /// Reports what happened; called only if it wanted it.
    func note(_ event: OutputEvent)
}
