import ControlProtocol
import Handlers

nonisolated extension MessageID {
    /// The identity of an entry about a handler that failed.
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
