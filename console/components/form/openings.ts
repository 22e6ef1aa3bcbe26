import { useState } from 'react'

/** Returns the last defined value, so that a drawer keeps its content while closing. */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}

/** Returns how often it has been opened. */
export function useOpenings(open: boolean): number {
  const [{ count, wasOpen }, setState] = useState({ count: 0, wasOpen: false })
  if (open !== wasOpen) setState({ count: open ? count + 1 : count, wasOpen: open })
  return count
}
