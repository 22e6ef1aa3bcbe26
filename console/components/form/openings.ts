import { useState } from 'react'

/** Returns the last defined value, so that a drawer keeps its content while closing. */
export function useLast<T>(value: T | undefined): T | undefined {
  const [lastValue, setLastValue] = useState(value)
  if (value !== undefined && value !== lastValue) setLastValue(value)
  return value ?? lastValue
}

/** Counts how often `open` has changed from false to true. */
export function useOpenings(open: boolean): number {
  const [{ count, wasOpen }, setState] = useState({ count: 0, wasOpen: false })
  if (open !== wasOpen) setState({ count: open ? count + 1 : count, wasOpen: open })
  return count
}
