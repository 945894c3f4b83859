import Foundation

/// How the current layout differs from its file: the answer to the request `layout`.
///
/// It does not contain the views. A client that needs them reads the file, so that a map of 50,000 seats costs touchd
/// nothing while it delivers touches.
package struct LayoutState: Codable, Equatable, Sendable {
    /// A screen.
    package struct Screen: Codable, Equatable, Sendable {
        /// Its name, if the layout has several screens.
        package var name: String?
        /// The size in points.
        package var width, height: Double
        /// The page it shows; nil without pages.
        package var page: String?

        /// Creates the state of a screen.
        package init(name: String?, width: Double, height: Double, page: String?) {
            (self.name, self.width, self.height, self.page) = (name, width, height, page)
        }
    }

    /// A toggle.
    package struct Toggle: Codable, Equatable, Sendable {
        /// Its id.
        package var view: String
        /// Whether it is on.
        package var on: Bool

        /// Creates the state of a toggle.
        package init(view: String, on: Bool) { (self.view, self.on) = (view, on) }
    }

    /// A slot for published views.
    package struct Slot: Codable, Equatable, Sendable {
        /// Its name.
        package var slot: String
        /// The name of the program that published its views; nil while the slot is empty.
        package var publisher: String?
        /// The number of views, subviews included.
        package var views: Int
        /// Its frame on its screen, in points.
        package var x, y, width, height: Double

        /// Creates the state of a slot.
        package init(slot: String, publisher: String?, views: Int, frame: CGRect) {
            (self.slot, self.publisher, self.views) = (slot, publisher, views)
            (x, y, width, height) = (frame.minX, frame.minY, frame.width, frame.height)
        }
    }

    /// The views that a program has published in a slot: the answer to the request `slot`.
    package struct Publication: Sendable {
        /// The program's name.
        package var publisher: String
        /// The list of views as it was published.
        package var views: JSONTree
        /// The frames of the views that were moved since, by id.
        package var frames: [String: CGRect] = [:]

        /// Reads an answer; nil for an empty slot.
        package init?(_ answer: JSONTree) {
            guard let publisher = answer["publisher"]?.string, let views = answer["views"],
                let frames = answer["frames"]?.members
            else { return nil }
            self.publisher = publisher
            self.views = views
            for (id, value) in frames {
                let numbers = (value.items ?? []).compactMap(\.number)
                guard numbers.count == 4 else { continue }
                self.frames[id] = CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
            }
        }
    }

    /// The layout's path; nil if the program creates its windows itself.
    package var layout: String?
    /// Why the last reload was refused; if set, the current layout differs from the file.
    package var refusal: String?
    /// The screens in the layout's order.
    package var screens: [Screen]
    /// The views that differ from the layout file, by their ids.
    package var views: [InspectionRecord.ViewState]
    /// The toggles with an id, and whether they are on; without those in private views.
    package var toggles: [Toggle]
    /// The slots, by name.
    package var slots: [Slot]

    /// Creates the state of a layout.
    package init(
        layout: String?, refusal: String?, screens: [Screen], views: [InspectionRecord.ViewState], toggles: [Toggle],
        slots: [Slot]
    ) {
        (self.layout, self.refusal, self.screens) = (layout, refusal, screens)
        (self.views, self.toggles, self.slots) = (views, toggles, slots)
    }
}
