import Testing

@testable import FeedFetching

@Suite("Addresses of private networks")
struct PrivateAddressTests {
  @Test(
    "are told",
    arguments: [
      "127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
      "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "192.0.0.8", "198.18.0.1", "::1",
      "::",
      "fe80::1", "fd00::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "64:ff9b::a00:1",
    ],
  )
  func privateAddresses(_ text: String) {
    #expect(PrivateAddress.contains(text))
  }

  @Test(
    "from those of the internet",
    arguments: [
      "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.167.0.1",
      "192.0.1.1",
      "198.20.0.1", "223.255.255.255", "2001:4860:4860::8888", "::ffff:8.8.8.8", "64:ff9b::808:808",
      "", "localhost",
    ],
  )
  func publicAddresses(_ text: String) {
    #expect(!PrivateAddress.contains(text))
  }
}
