import CMallocCount
import EventLoop
print("todo")
