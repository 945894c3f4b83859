import Evdev
import Foundation

/// A layout as its file says it: checked, with the place of everything in it, and nothing built yet.
///
/// Coordinates are in points of the screen; a view's frame is in its superview's coordinates, as in UIKit.
public nonisolated struct LayoutDocument: Sendable, Equatable {
    /// The screen that the layout is for.
    public var screen: ScreenSpec
    /// What is done with which input devices; of several rules for one device the later ones win.
    public var devices: [DeviceRule]
    /// Handlers for touches that no view takes.
    public var on: [HandlerBinding]
    /// The top-level views, back to front.
    public var views: [ViewSpec]
    /// The handlers that the file defines, in its order.
    public var handlers: [HandlerSpec]
    /// What can hardly be meant, though the file can be used.
    public var warnings: [Diagnostic]
}

/// The `screen:` of a layout.
public nonisolated struct ScreenSpec: Sendable, Equatable {
    /// Width and height in points. Devices are mapped to it whole, whatever their resolution.
    public var size: CGSize
}

/// One entry of `views:`.
public nonisolated struct ViewSpec: Sendable, Equatable {
    /// Where the view begins in its file.
    public var location: SourceLocation
    /// The name by which logs and handlers know the view; unique in the file.
    public var id: String?
    /// Points, in the superview's coordinates.
    public var frame: CGRect
    /// `hidden:`; a hidden view is never hit, nor is anything in it.
    public var isHidden: Bool
    /// `enabled:`, UIKit's `isUserInteractionEnabled`.
    public var isUserInteractionEnabled: Bool
    /// `alpha:`, from 0 to 1; below 0.01 a view is never hit.
    public var alpha: CGFloat
    /// `multiple-touch:`, UIKit's `isMultipleTouchEnabled`.
    public var isMultipleTouchEnabled: Bool
    /// `exclusive-touch:`, UIKit's `isExclusiveTouch`.
    public var isExclusiveTouch: Bool
    /// Which handlers run for which phase.
    public var on: [HandlerBinding]
    /// Subviews, back to front.
    public var views: [ViewSpec]
}

/// One line of an `on:`: a handler that runs in a phase of a touch.
public nonisolated struct HandlerBinding: Sendable, Equatable {
    /// When a handler runs: the phases of a touch that `on:` can name.
    public enum Trigger: String, Sendable, CaseIterable {
        /// A finger came down.
        case began
        /// It moved.
        case moved
        /// It was lifted.
        case ended
        /// It was interrupted: the device went away, the layout was replaced.
        case cancelled
    }

    /// When it runs.
    public var trigger: Trigger
    /// The handler's name.
    public var handler: String
    /// Where the name stands.
    public var location: SourceLocation
}

/// One entry of `handlers:`.
public nonisolated struct HandlerSpec: Sendable, Equatable {
    /// What a handler of the file does.
    public enum Action: Sendable, Equatable {
        /// `log:`, an entry with this text.
        case log(message: String)
        /// `exec:`, a program by its absolute path and its arguments, word by word; there is no shell.
        case exec(arguments: [String])
    }

    /// The name `on:` refers to.
    public var name: String
    /// Where the name stands.
    public var location: SourceLocation
    /// What it does.
    public var action: Action
}
