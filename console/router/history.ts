import { type Location, pathOf } from './location.ts'

/** A step back or forward, or a link within the page. The browser has changed the URL already. */
export interface Step {
  location: Location
  /** Goes back to where the user was. Returns the function that repeats the step. Undefined for a step to the same entry. */
  undo: (() => () => void) | undefined
}

/** The browser's session history, which numbers its entries, so that a step can be undone. */
export function createHistory(onStep: (step: Step) => void) {
  const { history } = window
  /** The number of the entry whose page is open. While a step is undone, the browser is still at another entry. */
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
    // Any other entry is another step, as of a user who goes back twice.
    index = next
    if (isNew) history.replaceState({ idx: index }, '')
    onStep({ location: currentLocation(), undo: distance === 0 ? undefined : () => undo(distance) })
  })

  return {
    push: (location: Location) => history.pushState({ idx: ++index }, '', pathOf(location)),
    replace: (location: Location) => history.replaceState({ idx: index }, '', pathOf(location)),
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

export function currentLocation(): Location {
  const { pathname, search, hash } = window.location
  return { pathname, search, hash }
}

function storedIndex(): number | undefined {
  const idx: unknown = window.history.state?.idx
  return typeof idx === 'number' ? idx : undefined
}
