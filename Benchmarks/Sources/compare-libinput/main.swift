import Dispatch  // the run loop drains its main queue

// Run in the kernel lab by Tests/Lab/libinput.sh: FOLDER, and `RECORDING` or `RECORDING<tab>DESCRIPTION` below it on
// standard input, a line each. Prints a table of what touchd and libinput make of the same device's events.
var comparisons: [Comparison] = []
let folder = CommandLine.arguments[1]
while let line = readLine() {
    let names = line.split(separator: "\t").map { "\($0)" }
    comparisons.append(
        Comparison(
            name: names[0], path: "\(folder)/\(names[0])",
            description: names.dropFirst().first.map { "\(folder)/\($0)" }))
}

let scene = try Scene()
for comparison in comparisons {
    try comparison.plug(scene)
    try comparison.play(scene)
}
let used = comparisons.compactMap(\.usedPath)
for comparison in comparisons { comparison.unplug() }
try scene.awaitRemoval(of: used)

print(
    "| recording | protocol | reports | touches: touchd | libinput | the same | positions | furthest apart | where they differ |"
)
print("|---|---|---:|---:|---:|---:|---:|---:|---|")
for comparison in comparisons { print(try comparison.row(scene)) }
