import ControlProtocol
import Handlers

nonisolated extension MessageID {
    /// The message ID for a handler failure.
    init(_ failure: HandlerFailure) {
        switch failure {
        case .notStarted, .program: self = .programFailed
        case .timedOut: self = .programTimedOut
        case .tooManyPrograms: self = .programLimitReached
        case .messageNotSent, .nowhereToPublish: self = .messageNotSent
        case .requestNotSent: self = .requestNotSent
        case .unknown, .circle, .tooManySteps, .argumentTooLong, .layout, .noLayout, .notEmitted: self = .handlerFailed
        }
    }
}
