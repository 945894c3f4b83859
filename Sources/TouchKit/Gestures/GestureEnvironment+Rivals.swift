/// Which recognizers compete, and which of them prevent each other.
extension GestureEnvironment {
    /// The other recognizers that share a touch of the gesture and have not finished their own gesture with it.
    func peers(of recognizer: GestureRecognizer) -> [GestureRecognizer] {
        var peers: [GestureRecognizer] = []
        for touch in recognizer.sequenceTouches {
            for other in touch.gestureRecognizers
            where other !== recognizer && !peers.holds(other) && involved.holds(other) {
                peers.append(other)
            }
        }
        return peers
    }

    func excludes(_ winner: GestureRecognizer, _ other: GestureRecognizer) -> Bool {
        guard winner.canPrevent(other), other.canBePrevented(by: winner) else { return false }
        if winner.delegate?.gestureRecognizer(winner, shouldRecognizeSimultaneouslyWith: other) == true { return false }
        return other.delegate?.gestureRecognizer(other, shouldRecognizeSimultaneouslyWith: winner) != true
    }

    func mustFail(_ other: GestureRecognizer, before recognizer: GestureRecognizer) -> Bool {
        recognizer.requiresFailure(of: other)
            || recognizer.shouldRequireFailure(of: other)
            || other.shouldBeRequiredToFail(by: recognizer)
            || recognizer.delegate?.gestureRecognizer(recognizer, shouldRequireFailureOf: other) == true
            || other.delegate?.gestureRecognizer(other, shouldBeRequiredToFailBy: recognizer) == true
    }
}

extension GestureRecognizer {
    fileprivate func requiresFailure(of other: GestureRecognizer) -> Bool {
        for requirement in failureRequirements where requirement.object === other { return true }
        return false
    }
}
