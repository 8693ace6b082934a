import Testing

@testable import FeedParsing

@Suite("Inflater")
struct InflaterTests {
  static let text = "<rss><channel><title>A feed, a feed, a feed</title></channel></rss>"

  /// Streams made with Python's gzip and zlib.
  static let samples: [(name: String, hex: String)] = [
    (
      "gzip",
      """
      1f8b0800000000000203b3292a2eb6b349ce48cccb4bcdb1b329c92cc949b57354484b4d4dd1514844a16df421b2
      36fa70e5fa20dd009590eefd43000000
      """,
    ),
    (
      "gzip of two members with names",
      """
      1f8b08080000000002ff666565642e786d6c00b3292a2eb6b349ce48cccb4bcdb1b329c92cc9490500c470dc4b14
      0000001f8b08080000000002ff6200b37354484b4d4dd1514844a16df44b324b7252ed6cf4933312f3f2527380ac
      a2e2623b001947ecdf2f000000
      """,
    ),
    (
      "zlib",
      """
      789cb3292a2eb6b349ce48cccb4bcdb1b329c92cc949b57354484b4d4dd1514844a16df421b236fa70e5fa20dd00
      0c7516c7
      """,
    ),
    (
      "stored",
      """
      1f8b0800000000000403014300bcff3c7273733e3c6368616e6e656c3e3c7469746c653e4120666565642c206120
      666565642c206120666565643c2f7469746c653e3c2f6368616e6e656c3e3c2f7273733e9590eefd43000000
      """,
    ),
  ]

  @Test("a document handed over compressed is read", arguments: samples)
  func small(_ sample: (name: String, hex: String)) {
    let bytes = [UInt8](hex: sample.hex)
    let run = StageRun.decode(bytes)
    #expect(run.text == Self.text)
    #expect(run.notes.count == 1)
    #expect(StageRun.decode(bytes + [UInt8]("trailing junk")).text == Self.text)
  }

  @Test("every truncation gives a beginning of the text and says so", arguments: samples)
  func truncated(_ sample: (name: String, hex: String)) {
    let bytes = [UInt8](hex: sample.hex)
    for length in 3..<bytes.count - 1 {
      let run = StageRun.decode(Array(bytes[..<length]))
      #expect(Self.text.hasPrefix(run.text))
      #expect(run.error == nil)
    }
    #expect(
      StageRun.decode(Array(bytes[..<30])).notes.last == "the compressed data are cut off"
    )
  }

  @Test("every flipped bit gives something, without harm", arguments: samples)
  func damaged(_ sample: (name: String, hex: String)) {
    let bytes = [UInt8](hex: sample.hex)
    for bit in 0..<bytes.count * 8 {
      var copy = bytes
      copy[bit / 8] ^= 1 << (bit % 8)
      #expect(StageRun.decode(copy, maximumBytes: 1 << 20).output.count < 1 << 20)
    }
  }

  /// 25 times the same 3,000 letters and spaces of a linear congruential generator.
  static let letters: [UInt8] = {
    var state = 1
    var letters: [UInt8] = []
    while letters.count < 3000 {
      state = (state * 1_103_515_245 + 12_345) % (1 << 31)
      let letter = UInt8(97 + ((state >> 16) % 26) * ((state >> 24) % 2))
      letters.append((state >> 20) % 7 != 0 ? letter : 32)
    }
    return letters
  }()

  @Test("blocks with codes of their own and copies over the window's end are inflated")
  func dynamic() {
    let expected = Array(repeatElement(Self.letters, count: 25).joined())
    let run = StageRun.decode([UInt8](hex: Self.compressed))
    #expect(run.output == expected)
  }

  @Test("a bomb is refused at the limit")
  func bomb() {
    let run = StageRun.decode([UInt8](hex: Self.compressed), maximumBytes: 50_000)
    #expect(run.error == .limitExceeded(name: "decoded bytes", limit: 50_000))
    #expect(run.output.count <= 50_000)
  }

  @Test("a bomb of bytes that no document may have is refused at the limit, too")
  func bombOfNothing() {
    let block: [UInt8] = [0, 0xFF, 0xFF, 0, 0] + [UInt8](repeating: 0, count: 0xFFFF)
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    let bytes = header + block + block + block
    let run = StageRun.decode(bytes, maximumBytes: 150_000)
    #expect(run.error == .limitExceeded(name: "decoded bytes", limit: 150_000))
  }

  private static let compressed = """
    1f8b0800000000000203edd687b1e4460c04d054901a6886de7b46af6e70bf4aa518fa54badbe59263000cf8167fbdee
    dda7d233bb7a37f3a61cdcfcb179736fdd4f9fac2dcb32c39dee65e99de3e78d3fa474f07371543ef0f2eda54fd9e556
    f8d27aedbebfcde999ef139eec6adc7a610c3cea6bfcedfb88093123bed888c7cf8c57cd6a73ac0917f8adf4b633ac30
    c7175efd4670cfeb32ee7d7b1b07feb6e6191685913a3cb4e2d36995fbb1f2e6c227fc8f3f6de5e5fa9bbe6f1b7ff8a1
    c6c271ebc93b1084ceba5817778ae93179834fa79f373e6e23368bb57499e1292c0edbb567f419bf19d7e869aadc563c
    3c9e8de7fbd2d98c9fbacab8a591773c082ffee1e7f62c17cff96de64415ff2ebc98f333eec4b774461c76bf104afec8
    ac308496e589cff497a7f1e10fc7d946fcfa0a8f60431712d5db370cff6f10b1d7acc560dccfe1fdf905c79b9c0bc0ee
    f0cbd3b54f659c0b95805a687cf0bf3f0d82832c2c564ce3db7207e6bf752e2b6266791a305ed445e767b3dd8331aaf6
    345fd212978fd2c8bcceaf08b879d59a1fc7829c34ed6f408bd5704dac1dcc67ceffd6f51bcd67467abe1086d116b7f9
    d8da8d4f7628a3952170dbfa8583a46f718bb7cd9c162ed3b19ff3fdd68ddc653e77de1ca836c3341cbe6a73c792eea5
    8a127ca3e60aec35a15aec985696e6c30af1b1e1615822f1b86eb6fa751bd63c31fed825c2f54d85d22d91424bf617b2
    f3c1a7f6c4b6a77e66e51e0b4b83991d22eff677eb75795e7aba6cc7f2a6a18a2099dd18fa309f265c9fb0cf9cfbfe85
    6d4731626454e585c16ce604f991bcbb98252c0475e06581d84dbf04561b82d3a3de07e667f385570fdf87acb5c4b29c
    9a2f2b7b65f7ef14bebc6c8695d6157681083a82c6a470293543b05a5a128aadef3dc2d974b1299cc3eecbb49d1b3ffc
    9671b57870b01d53b019f456d76933d4e09b3db1eb48671cfd93012a6cbfd2d4953c929e6190377994ca7094d142f0b9
    1adf3b0eff9beff59c23c4d78e6e1447bfafd317332eeb7abe95ed580dfac0ceb936ff76e1cfcb1c719a268eddcabf9e
    178552d6ec4fcd9edd4f1ea9c3cc38d25514ae33a411b66d8dac7114540dd65a2596a2f5c32f67f173b7d9fcdc93b7bb
    6728cc33c6d8b9dad7a22b799dfa9a85eba57d3d843d07f3735f2cb2c3ce61e97e917a6b3fd09cef183ccfbebd22b5e9
    466dd88a4998ccac4b59c4fbacd90f6c29a2317e0568967dcf602b3bae9438c0338ff1841ef8ddd66648307b5316d3be
    d61c671447f420eec0ffda84ef7c31787e7338544b1c11042545901bf625646cc548c7d7712c1686903728681418763d
    b265fb5fef49d1eb385133a69a39bf7cfb8e8eb5458b783c3c57716a9e0cb31407bfe32030c323528a7fca278e6b94f5
    97234cc5456515bb3f72deb324383f5a801f092d769dd135789cb29ce5b0ac5115ecf55103e36f8515b3cce25d7054e6
    7f1b1c6e38cefed7d8bc8ab74cfb6bc7fc3dbbb2888caf698bcca71cf376518263bc3059dd71247a6f9774f5df7c378e
    0fd3d50f99194bb8409ccbd31f9459f62b97ded728900debc2a5e9debc4b78696fdf5bc0dfa5c89ffd6a380ecf5363ed
    e15f7df1b1bce5018b4adae2a5c74a649bec879191dbf9d2b8784e2e5fef3833df3db67e47fedbe2f55435b2d035688b
    bdbddbaf3647a46739729bec5776565c6389b7ba9713bed61d7a6f391c11474406412afe5e1bf9b02c3d227058956123
    47e6bf8cb4118999cd8aab402447c6ddf2e7ad9707871c5bbedeea4bd91db9d8bff3f354591e79dd62ed77bc8af13a88
    f2ccffaafa28620110d01dc5c6e3d1b688a9cdf66025f5beee3d77f34c28ddaae94301c0d493b0871bad2cfd4e488aee
    dc3378e577658c57fae4f35c1a827825d4cafaf8c64106144e8a2ab8f87ac4d8ef3b79d6fb670acbdeac4f890d1aa711
    195afb382bcef750151dde8f6761e5b7efe0ef8e45edd8c5c233f42bd5e2d706502c08cccb4d0f63bc46e8bd08cd4105
    4518866863b5a79704288fd8e6bfa7bf45085bcb9e6fbcbe89d7d58a06bcf8af337d2fb0667efdebe27c15b29c4b4b68
    7f1b6085cef1d001dc02db40cddb523333584b13eda2e5394a4c1713ba5a0f215578d565c5704666f8de2d6daff7c4e2
    8d29a39a8be8745f97c2c2cb2e8bf289eef41cbfdb7028ae392f2314ec16d31e0f14b7bddf0eee2a4f367e471ce7a8d9
    d9e479cbd29585ff474c4cedca8a18d8de3aeefd46ef684bec13d3f46c247c33cdf7f275029f0ab6bb8c0193dbe576b9
    5d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576
    b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe5
    76b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97db
    e576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97
    dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e
    97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d
    6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b9
    5d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576
    b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe5
    76b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97dbe576b95d6e97db
    e576b9fdff6eff075c9959e9f8240100
    """
}
