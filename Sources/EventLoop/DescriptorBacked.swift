/// A source that is backed by a descriptor; add it to a loop as you add a `DescriptorSource`.
public protocol DescriptorBacked {
    /// The source that watches the descriptor.
    var descriptorSource: DescriptorSource { get }
}
