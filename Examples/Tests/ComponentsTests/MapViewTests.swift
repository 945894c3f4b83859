import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A map") struct MapViewTests {
    let stage = Stage()
    let map: MapView

    init() {
        map = MapView(frame: stage.window.bounds)
        stage.window.addSubview(map)
    }

    @Test("a finger moves the map, which glides on until the next finger")
    func glide() {
        let finger = stage.finger(at: 600, 500)
        finger.moves(to: 400, 500, over: 0.1)
        #expect(map.location.x.rounded() == 200)
        finger.lifts()
        stage.advanceTime(by: 0.2)
        #expect(map.location.x > 300 && map.location.y == 0)
        stage.finger(at: 500, 500)
        let stopped = map.location
        stage.advanceTime(by: 1)
        #expect(map.location == stopped)
    }

    @Test("a finger that rests before it is lifted leaves the map in place")
    func rest() {
        let finger = stage.finger(at: 600, 500)
        finger.moves(to: 400, 500, over: 0.1)
        stage.advanceTime(by: 0.1)
        finger.lifts()
        stage.advanceTime(by: 1)
        #expect(map.location.x.rounded() == 200)
    }

    @Test("a double tap zooms in around its point, two fingers that tap zoom out")
    func taps() {
        let point = CGPoint(x: 300, y: 400)
        let before = map.mapPoint(at: point)
        for _ in 0..<2 { stage.finger().taps(at: point) }
        #expect(map.zoomScale == 2 && map.mapPoint(at: point) == before)
        stage.advanceTime(by: 1)
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.landing(at: 400, 500), second.landing(at: 600, 500))
        stage.send(first.lifting())
        stage.send(second.lifting())
        #expect(map.zoomScale == 1)
    }

    @Test("a tap and a finger that moves zoom, and move nothing")
    func oneFingerZoom() {
        let finger = stage.finger()
        finger.taps(at: 500, 500)
        finger.lands(at: 500, 500)
        finger.moves(to: 500, 600, over: 0.2)
        #expect(abs(map.zoomScale - 2) < 1e-6 && map.location == .zero)
        finger.moves(to: 500, 400, over: 0.2)
        finger.lifts()
        #expect(abs(map.zoomScale - 0.5) < 1e-6 && map.location == .zero)
        stage.advanceTime(by: 1)
        finger.lands(at: 500, 500)
        finger.moves(to: 500, 600, over: 0.2)
        #expect(abs(map.zoomScale - 0.5) < 1e-6 && map.location.y.rounded() == -200)
    }

    @Test("a palm ends the zoom, and the second finger of a tap is none")
    func cancelled() {
        let finger = stage.finger()
        finger.taps(at: 500, 500)
        finger.lands(at: 500, 500)
        finger.moves(to: 500, 600, over: 0.2)
        stage.taps(at: 300, 300)
        finger.becomesPalm()
        stage.advanceTime(by: 1)
        #expect(abs(map.zoomScale - 2) < 1e-6 && map.location == .zero)
        let one = stage.finger(at: 500, 500)
        one.moves(to: 500, 520)
        one.lifts()
        stage.advanceTime(by: 1)
        #expect(abs(map.zoomScale - 2) < 1e-6 && map.location.y != 0)
    }
}
