import { type PageLocation, pathOf } from './location.ts'

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
    const isNew = storedIndex() === undefined
    const next = storedIndex() ?? index + 1
    const distance = next - index
    const undone = onUndone
    onUndone = undefined
    if (undone && distance === 0) return undone()
    // If the undo led to an unexpected entry, for example because the user went back twice, this event is a new step.
    index = next
    if (isNew) history.replaceState({ idx: index }, '')
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

export function currentLocation(): PageLocation {
  const { pathname, search, hash } = window.location
  return { pathname, search, hash }
}

function storedIndex(): number | undefined {
  const idx: unknown = window.history.state?.idx
  return typeof idx === 'number' ? idx : undefined
}
