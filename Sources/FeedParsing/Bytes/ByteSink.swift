/// Where a stage hands on its bytes: valid only during the call.
typealias ByteSink = (UnsafeRawBufferPointer) throws(FeedParsingError) -> Void
