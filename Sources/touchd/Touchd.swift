@main struct Touchd { static func main() {} }
