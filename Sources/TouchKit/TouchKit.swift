// TouchKit
