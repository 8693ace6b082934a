package import FeedStorage

extension ItemTable: StoryTable {}
