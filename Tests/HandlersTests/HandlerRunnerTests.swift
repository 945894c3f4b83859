import Foundation
import Testing
import TouchKit
import TouchKitTesting

@testable import Handlers
@testable import Layout

/// The handlers of a layout under touches.
@Suite struct LayoutHandlers {
    @Test("steps run in order, with facts in their templates")
    func steps() throws {
        let kiosk = try HandlerKiosk(
            """
            views:
              - id: buy
                frame: [0, 0, 50, 50]
                on: {ended: [first, {log: "second at {x}, {y} by {device} {{literally}}"}, log]}
            handlers:
              first: [{log: "{handler}: {trigger} {phase} {view}"}, {log: "touch {touch}"}]
            """)
        kiosk.taps(at: 10, 20.5)
        #expect(
            kiosk.log.lines == [
                "notice: first: ended ended buy", "notice: touch 1",
                "notice: second at 10.0, 20.5 by Panel {literally}",
                "notice: touch 1 ended on buy",
            ])
        #expect(
            kiosk.log.fields == [
                "TOUCHD_TRIGGER": "ended", "TOUCHD_HANDLER": "log", "TOUCHD_TOUCH": "1", "TOUCHD_PHASE": "ended",
                "TOUCHD_VIEW": "buy", "TOUCHD_X": "10.0", "TOUCHD_Y": "20.5", "TOUCHD_DEVICE": "Panel",
                "TOUCHD_TIME": "1.020000",
            ])
    }

    @Test("a handler gets arguments, filled with the caller's facts and arguments")
    func arguments() throws {
        let kiosk = try HandlerKiosk(
            """
            views: [{id: seven, frame: [0, 0, 50, 50], on: {began: {run: digit, with: {digit: "7", from: "{view}"}}}}]
            handlers: {digit: {run: say, with: {what: "<{digit} {from}>"}}, say: {log: "{what}"}}
            """)
        kiosk.finger(at: 10, 10)
        #expect(kiosk.log.lines == ["notice: <7 seven>"])
    }

    @Test("a condition selects steps by the current page and by hidden, enabled and on")
    func conditions() throws {
        let kiosk = try HandlerKiosk(
            """
            on: {ended: ask}
            pages:
              first: {views: [{id: sound, frame: [0, 0, 10, 10], control: toggle}, {id: help, frame: [20, 0, 10, 10]}]}
              second: {on: {ended: ask}, views: [{id: back, frame: [0, 0, 10, 10]}]}
            handlers:
              ask: [on-first, loud, shown, enabled]
              on-first: {when: {page: first}, do: {log: on first}, else: {log: on second}}
              loud: {when: {switched-on: sound}, do: {log: loud}, else: {log: quiet}}
              shown: {when: {shown: help, page: first}, do: {log: shown}, else: {log: not both}}
              enabled: {when: {enabled: help}, do: {disable: help}, else: {log: disabled}}
            """)
        kiosk.taps(at: 50, 50)
        #expect(kiosk.log.lines == ["notice: on first", "notice: quiet", "notice: shown"])

        let scene = try #require(kiosk.scene)
        kiosk.log.clear()
        kiosk.taps(at: 5, 5)
        try scene.setHidden(true, of: "help")
        kiosk.taps(at: 50, 50)
        #expect(kiosk.log.lines == ["notice: on first", "notice: loud", "notice: not both", "notice: disabled"])

        kiosk.log.clear()
        try scene.go(to: "second")
        kiosk.taps(at: 50, 50)
        #expect(kiosk.log.lines == ["notice: on second", "notice: loud", "notice: not both", "notice: disabled"])
    }

    @Test("go, show, hide, enable, disable and toggle change the scene")
    func sceneActions() throws {
        let kiosk = try HandlerKiosk(
            """
            views: [{id: any, frame: [0, 0, 100, 10], on: {began: all}}]
            pages:
              first: {on: {disappeared: log}, views: [{id: a, frame: [0, 20, 10, 10]}]}
              second:
                on: {appeared: log}
                views:
                  - {id: b, frame: [0, 20, 10, 10], hidden: true}
                  - {id: c, frame: [0, 40, 10, 10]}
                  - {id: d, frame: [0, 60, 10, 10], control: toggle}
            handlers:
              all: [{go: second}, {show: b}, {hide: c}, {disable: b}, {toggle: d}, {toggle: a}]
            """)
        kiosk.finger(at: 5, 5)
        let scene = try #require(kiosk.scene)
        #expect(scene.currentPages == ["second"])
        #expect(try scene.isShown("b") && !scene.isShown("c") && !scene.isEnabled("b") && scene.isOn("d"))
        #expect(try !scene.isShown("a"))
        #expect(kiosk.log.lines == ["notice: page first disappeared", "notice: page second appeared"])
        #expect(kiosk.log.fields["TOUCHD_PAGE"] == "second")
    }

    @Test("a failed step is logged under its handler's name, the next one runs, and each handler is reported once")
    func failure() throws {
        let kiosk = try HandlerKiosk(
            """
            on: {began: [try, {log: x}]}
            handlers: {try: [inner, {exec: [/nowhere/program]}, {publish: nowhere}, {log: after}], inner: {log: i}}
            """)
        let delegate = RunnerDelegate()
        kiosk.runner.delegate = delegate
        kiosk.finger(at: 5, 5)
        let reason = "cannot start /nowhere/program: No such file or directory (ENOENT)"
        #expect(
            kiosk.log.lines == [
                "notice: i", "error: handler 'try': \(reason)",
                "notice: after", "notice: x",
            ])
        #expect(delegate.runs.map(\.name) == ["inner", "try", "log"])
        #expect(delegate.runs.map { "\($0.failure.map { "\($0)" } ?? "")" } == ["", reason, ""])
        #expect(delegate.runs.allSatisfy { $0.duration > .zero })
    }

    @Test("a failed action in an 'on' is logged with its line and view")
    func failureOfAction() throws {
        let kiosk = try HandlerKiosk(
            """
            views:
              - {id: start, frame: [0, 0, 50, 50], on: {began: {exec: [/nowhere/program]}}}
              - id: pad
                frame: [50, 0, 50, 50]
                private: true
                views:
                  - {id: key-5, frame: [0, 0, 50, 50], on: {began: {exec: [/nowhere/program]}}}
            """)
        let reason = "cannot start /nowhere/program: No such file or directory (ENOENT)"
        kiosk.taps(at: 5, 5)
        #expect(kiosk.log.lines == ["error: kiosk.yaml:3:59: exec of view 'start': \(reason)"])
        #expect(kiosk.log.fields["TOUCHD_HANDLER"] == "exec" && kiosk.log.fields["TOUCHD_VIEW"] == "start")

        // The line would show which key was touched.
        kiosk.log.clear()
        kiosk.taps(at: 60, 5)
        #expect(kiosk.log.lines == ["error: exec of view 'pad': \(reason)"])
    }

    @Test("choose runs only the first case whose conditions are true, or else")
    func choose() throws {
        let kiosk = try HandlerKiosk(
            """
            on: {began: next}
            pages: {one: , two: , three: }
            handlers:
              next:
                choose:
                  - {when: {page: one}, do: [{log: first}, {go: two}]}
                  - {when: {page: two}, do: {go: three}}
                  - {when: {page: two}, do: {log: never}}
                else: {log: "else on {page}"}
            """)
        for _ in 0..<4 { kiosk.taps(at: 5, 5) }
        #expect(kiosk.log.lines == ["notice: first", "notice: else on three", "notice: else on three"])
    }

    @Test("another thread can read which handler runs")
    func runningHandler() throws {
        let kiosk = try HandlerKiosk()
        var seen: [String?] = []
        kiosk.registry.register("inner") { (_: HandlerContext) in seen.append(kiosk.runner.running.current) }
        kiosk.registry.register("last") { _, _ in seen.append(kiosk.runner.running.current) }
        try kiosk.show("on: {began: outer}\nhandlers: {outer: [inner, last, inner]}")
        kiosk.finger(at: 5, 5)
        #expect(seen == ["inner", "last", "inner"])
        #expect(kiosk.runner.running.current == nil)
    }

    @Test("a program's handler runs for touches only, or for all contexts, as registered")
    func programHandlers() throws {
        let kiosk = try HandlerKiosk()
        var seen: [String] = []
        kiosk.registry.register("touches") { touch, _ in seen.append("touch \(touch.id)") }
        kiosk.registry.register("all") { (context: HandlerContext) in seen.append(context.trigger.rawValue) }
        try kiosk.show("on: {began: [touches, all]}\npages: {only: {on: {appeared: [touches, all]}}}")
        kiosk.finger(at: 5, 5)
        #expect(seen == ["appeared", "touch 1", "began"])
    }

    @Test("handlers that run each other without end are stopped and named")
    func circle() throws {
        let kiosk = try HandlerKiosk("on: {ended: log}"), place = SourceLocation(file: "kiosk.yaml")
        func handler(_ name: String, running other: String) -> HandlerSpec {
            HandlerSpec(
                name: name, location: place, steps: [HandlerStep(kind: .run(other, arguments: [:]), location: place)])
        }
        kiosk.runner.define([handler("egg", running: "hen"), handler("hen", running: "egg")])
        kiosk.run("egg", for: HandlerContext(.idle, .idle))
        #expect(
            kiosk.log.lines == [
                "error: handler 'egg': not run: handlers run each other without end (… → hen → egg → hen → egg); "
                    + "add a 'when:' to one of them, or break the cycle"
            ])
        kiosk.log.clear()
        kiosk.taps(at: 5, 5)
        #expect(kiosk.log.lines == ["notice: touch 1 ended on no view"])
    }

    @Test("pages that switch to each other on appearance are stopped, and this is logged")
    func pageCircle() throws {
        let kiosk = try HandlerKiosk(
            """
            on: {began: {go: b}}
            pages: {a: {on: {appeared: {go: b}}}, b: {on: {appeared: {go: a}}}}
            """)
        kiosk.log.clear()
        kiosk.finger(at: 5, 5)
        #expect(kiosk.log.lines.count > 0)
        #expect(kiosk.log.lines.allSatisfy { $0.hasPrefix("error: kiosk.yaml:") && $0.contains(": go: ") })
    }

    @Test("without a broker, publish sends to the control socket")
    func publishing() throws {
        let kiosk = try HandlerKiosk(
            """
            views:
              - id: a.b c
                frame: [0, 0, 50, 50]
                on: {began: [{publish: "kiosk/{view}"}, {publish: {topic: t, message: "{phase}"}}]}
            """)
        kiosk.finger(at: 5, 5).lifts()
        let reason = "not published: there is no control socket"
        #expect(kiosk.log.lines == [28, 55].map { "error: kiosk.yaml:5:\($0): publish of view 'a.b c': \(reason)" })
        let delegate = RunnerDelegate()
        kiosk.runner.delegate = delegate
        kiosk.finger(at: 5, 5)
        #expect(
            delegate.messages == [
                """
                kiosk/a.b c: {"trigger": "began", "handler": "publish", "touch": 2, "phase": "began", \
                "view": "a.b c", "x": 5, "y": 5, "device": "Panel", "time": 1.03}
                """,
                "t: began",
            ])
    }

    @Test("reload requests a reload of the layout")
    func reload() throws {
        let kiosk = try HandlerKiosk("on: {began: {reload: true}}")
        let delegate = RunnerDelegate()
        kiosk.runner.delegate = delegate
        kiosk.finger(at: 5, 5)
        #expect(delegate.reloadCount == 1)
    }

    @Test("facts are not computed for a disabled log level")
    func unreadLog() throws {
        let kiosk = try HandlerKiosk("on: {began: [log, {log: \"{device}\"}]}", logging: .error)
        kiosk.finger(at: 5, 5)
        #expect(kiosk.log.lines == [] && kiosk.namedDevices == 0)
    }

    @Test("a handler does not run again within its cooldown, and each run that it drops is reported")
    func cooldown() throws {
        let kiosk = try HandlerKiosk("handlers: {order: {cooldown: 2 s, do: {log: ordered}}}\non: {ended: order}")
        let delegate = RunnerDelegate()
        kiosk.runner.delegate = delegate
        for pause in [1, 1.5, 0] {
            kiosk.taps(at: 5, 5)
            kiosk.advanceTime(by: pause)
        }
        #expect(kiosk.log.lines.count == 2 && delegate.dropped == ["order"])
    }

    @Test("a press whose conditions are false starts no cooldown for one whose conditions are true, also with 'else'")
    func cooldownWithCondition() throws {
        let kiosk = try HandlerKiosk(
            """
            pages:
              start: {on: {ended: [order, ask]}}
              pay: {on: {ended: [order, ask]}}
            handlers:
              order: {cooldown: 10 s, when: {page: pay}, do: {log: ordered}}
              ask: {cooldown: 10 s, when: {page: pay}, do: {log: paid}, else: {log: hint}}
            """)
        let delegate = RunnerDelegate()
        kiosk.runner.delegate = delegate
        for _ in 0..<2 { kiosk.taps(at: 5, 5) }
        #expect(kiosk.log.lines == ["notice: hint"] && delegate.dropped == ["ask"])
        try kiosk.scene?.go(to: "pay")
        for _ in 0..<2 { kiosk.taps(at: 5, 5) }
        #expect(kiosk.log.lines == ["notice: hint", "notice: ordered", "notice: paid"])
        #expect(delegate.dropped == ["ask", "order", "ask"])
    }
}

/// The findings for a layout's actions before it replaces another.
@Suite struct Preparation {
    @Test(
        "what an action needs and this machine lacks rejects the layout",
        arguments: [
            (
                "{exec: {command: [/bin/true], user: nobody-of-this-name}}",
                "error: 'exec': there is no user named 'nobody-of-this-name' on this machine"
            ),
            ("{exec: {command: [/bin/true], user: root}}", "error: 'exec': 'user' must not be root; name another user"),
            // The tests run as root, which may become any user.
            ("{exec: {command: [/bin/true], user: nobody}}", nil),
            (
                "{emit: [KEY_ENTER, KEY_ENTRE]}",
                "error: 'emit': unknown key 'KEY_ENTRE'; input-event-codes.h lists all keys"
            ),
            ("{emit: [KEY_LEFTCTRL, BTN_LEFT, KEY_PLAYPAUSE]}", nil),
        ] as [(String, String?)])
    func finding(action: String, finding: String?) throws {
        let check = LayoutDocument.check(
            text: "screen: {size: [100, 100]}\non: {began: act}\nhandlers:\n  act: \(action)\n", file: "kiosk.yaml",
            handlers: ["log"])
        let findings = try check.document.map { try HandlerKiosk().runner.prepare(for: $0) } ?? check.findings
        #expect(findings.map(\.description) == (finding.map { ["kiosk.yaml:4:15: \($0)"] } ?? []))
    }
}
