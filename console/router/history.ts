import { type PageLocation, pageLocationOf, pathOf } from './location.ts'

/** A step back or forward, or a link to a fragment. The browser has already changed the URL. */
interface HistoryStep {
  location: PageLocation
  /** Undoes the step, and returns a function that repeats it. Undefined if the step leads to the same entry. */
  undo: (() => () => void) | undefined
}

/** Wraps the browser's session history. Numbers the history entries, so that steps can be undone. */
export function createHistory(onStep: (step: HistoryStep) => void) {
  const { history } = window
  /** Number of the entry whose page is open. While a step is being undone, the browser is still at another entry. */
  let index = storedIndex() ?? 0
  let onUndone: (() => void) | undefined

  history.replaceState({ ...history.state, idx: index }, '')
  window.addEventListener('popstate', () => {
    const stored = storedIndex()
    const next = stored ?? index + 1
    const distance = next - index
    const finishUndo = onUndone
    onUndone = undefined
    if (finishUndo && distance === 0) return finishUndo()
    // Any other event is a new step. If the user goes back twice, the undo of the first step leads to another entry.
    index = next
    if (stored === undefined) history.replaceState({ idx: index }, '')
    onStep({ location: currentLocation(), undo: distance === 0 ? undefined : () => undo(distance) })
  })

  return {
    push: (location: PageLocation) => history.pushState({ idx: ++index }, '', pathOf(location)),
    replace: (location: PageLocation) => history.replaceState({ idx: index }, '', pathOf(location)),
  }

  function undo(distance: number): () => void {
    index -= distance
    const undone = new Promise<void>((resolve) => {
      onUndone = resolve
    })
    history.go(-distance)
    return () => void undone.then(() => history.go(distance))
  }
}

export const currentLocation = (): PageLocation => pageLocationOf(window.location.href)

function storedIndex(): number | undefined {
  const idx: unknown = window.history.state?.idx
  return typeof idx === 'number' ? idx : undefined
}
