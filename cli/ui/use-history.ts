import { useRef } from 'react'

const KEPT = 200

/** Number of each reply so far, oldest first. */
export function useHistory<T>(answer: T | undefined, numberIn: (answer: T) => number): readonly number[] {
  const kept = useRef<{ last: T | undefined; numbers: number[] }>({ last: undefined, numbers: [] })
  if (answer !== undefined && answer !== kept.current.last) {
    kept.current = { last: answer, numbers: [...kept.current.numbers, numberIn(answer)].slice(-KEPT) }
  }
  return kept.current.numbers
}
