nonisolated extension LayoutChecker {
    /// Checks pages: they can be reached, and they have content.
    mutating func checkPages() {
        var screens: Set<String?> = []
        for page in document.pages {
            let isFirst = screens.insert(page.screen ?? document.screens.first?.name).inserted
            if !isFirst, !steps.pages.contains(page.name), document.mqtt?.commands.contains(.go) != true {
                warn(at: page.location, "page '\(page.name)' is never shown: nothing goes to it")
            }
            if page.views.isEmpty, page.on.isEmpty, !hasMistakes {
                warn(at: page.location, "page '\(page.name)' has no views and no handlers")
            }
        }
    }

    /// Reports steps that never run, because their trigger does not occur at that place.
    mutating func checkTriggers() {
        document.forEachView { visit in
            for binding in visit.view.on {
                let trigger = binding.trigger.rawValue
                switch (binding.trigger, visit.view.control) {
                case (.pressed, nil), (.held, nil), (.released, nil):
                    warn(
                        at: binding.step.location,
                        "'\(trigger)' never happens here, because only a control sends it; add control: button")
                case (.switchedOn, .toggle), (.switchedOff, .toggle): break
                case (.switchedOn, _), (.switchedOff, _):
                    warn(
                        at: binding.step.location,
                        "'\(trigger)' never happens here, because only a toggle sends it; add control: toggle")
                default: break
                }
            }
        }
    }
}
