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
      "fec0::1", "feff::1", "febf::1", "2002:7f00:1::1", "2002:c0a8:101::", "2002:a9fe:a9fe::",
      "64:ff9b:1::1", "64:ff9b:1:fffe::808:808", "::127.0.0.1", "::192.168.1.1",
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
      "2002:808:808::1", "64:ff9b:2::1", "fe00::1", "::8.8.8.8",
      "", "localhost",
    ],
  )
  func publicAddresses(_ text: String) {
    #expect(!PrivateAddress.contains(text))
  }

  @Test(
    "hosts of private networks are told by their looks, in any spelling",
    arguments: [
      "localhost", "localhost.", "a.localhost", "printer.local", "router.home.arpa", "db.internal",
      "intranet", "router", "127.0.0.1", "127.0.0.1.", "127.1", "2130706433", "0x7f000001",
      "0177.1",
      "10.1", "[::1]", "[fd00::1]", "[::ffff:10.0.0.1]",
    ],
  )
  func localHosts(_ host: String) {
    #expect(LocalHost.contains(host))
  }

  @Test(
    "from hosts of the internet",
    arguments: [
      "example.com", "example.com.", "local.example", "127.0.0.1.example", "8.8.8.8", "134744072",
      "[2001:4860:4860::8888]", "internal.example",
    ],
  )
  func otherHosts(_ host: String) {
    #expect(!LocalHost.contains(host))
  }
}
