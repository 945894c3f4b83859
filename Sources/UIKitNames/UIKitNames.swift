// Lets UIKit sources carry over: `import UIKitNames` in place of `import UIKit`.
@_exported import Service
@_exported import TouchKit

// Responders
/// UIKit's name for `Responder`.
public typealias UIResponder = Responder
/// UIKit's name for `Application`.
public typealias UIApplication = Application
/// UIKit's name for `ApplicationDelegate`.
public typealias UIApplicationDelegate = ApplicationDelegate
/// UIKit's name for `Window`.
public typealias UIWindow = Window
/// UIKit's name for `Screen`.
public typealias UIScreen = Screen
/// UIKit's name for `View`.
public typealias UIView = View
/// UIKit's name for `ViewController`.
public typealias UIViewController = ViewController

// Gestures
/// UIKit's name for `GestureRecognizer`.
public typealias UIGestureRecognizer = GestureRecognizer
/// UIKit's name for `GestureRecognizerDelegate`.
public typealias UIGestureRecognizerDelegate = GestureRecognizerDelegate
/// UIKit's name for `TapGestureRecognizer`.
public typealias UITapGestureRecognizer = TapGestureRecognizer
/// UIKit's name for `LongPressGestureRecognizer`.
public typealias UILongPressGestureRecognizer = LongPressGestureRecognizer
/// UIKit's name for `PanGestureRecognizer`.
public typealias UIPanGestureRecognizer = PanGestureRecognizer

/// UIKit's name for `SwipeGestureRecognizer`.
public typealias UISwipeGestureRecognizer = SwipeGestureRecognizer
/// UIKit's name for `PinchGestureRecognizer`.
public typealias UIPinchGestureRecognizer = PinchGestureRecognizer
/// UIKit's name for `RotationGestureRecognizer`.
public typealias UIRotationGestureRecognizer = RotationGestureRecognizer
/// UIKit's name for `ScreenEdgePanGestureRecognizer`.
public typealias UIScreenEdgePanGestureRecognizer = ScreenEdgePanGestureRecognizer
/// UIKit's name for `HoverGestureRecognizer`.
public typealias UIHoverGestureRecognizer = HoverGestureRecognizer
/// UIKit's name for `RectEdge`.
public typealias UIRectEdge = RectEdge
/// UIKit's name for `EdgeInsets`.
public typealias UIEdgeInsets = EdgeInsets

// Controls
/// UIKit's name for `Control`.
public typealias UIControl = Control
/// UIKit's name for `Button`.
public typealias UIButton = Button

// Events
/// UIKit's name for `Event`.
public typealias UIEvent = Event
/// UIKit's name for `Touch`.
public typealias UITouch = Touch
/// UIKit's name for `Press`.
public typealias UIPress = Press
/// UIKit's name for `Key`.
public typealias UIKey = Key
/// UIKit's name for `PressesEvent`.
public typealias UIPressesEvent = PressesEvent

/// UIKit's name for `Action`.
public typealias UIAction = Action

// Geometry
/// UIKit's name for `Path`.
public typealias UIBezierPath = Path
/// UIKit's name for `RectCorner`.
public typealias UIRectCorner = RectCorner
/// UIKit's name for `AccessibilityTraits`.
public typealias UIAccessibilityTraits = AccessibilityTraits

// Without an effect: see `DrawingNames`.
/// UIKit's name for `Color`.
public typealias UIColor = Color
/// Core Graphics' name for a color; here it is the same type.
public typealias CGColor = Color
/// Core Animation's name for `Layer`.
public typealias CALayer = Layer

extension Control {
    /// UIKit's name for `Control.Events`; it is not in TouchKit, where it would hide `TouchKit.Event` in subclasses.
    public typealias Event = Events
}
