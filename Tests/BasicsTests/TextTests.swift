import Basics
import Glibc
import Testing

@Suite("Texts") struct TextTests {
    @Test("every error number has the text of strerror(3)")
    func errors() {
        #expect((0...140).filter { ErrorText.of($0) != String(cString: strerror($0)) } == [])
    }

    @Test(
        "a digest is that of sha256sum",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ])
    func digest(message: String, digest: String) { #expect(SHA256.digest(of: Array(message.utf8)) == digest) }
}
