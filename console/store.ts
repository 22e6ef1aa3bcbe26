import { useSyncExternalStore } from 'react'

/** A value outside of React components that notifies its subscribers when it changes. */
interface Store<T> {
  get(): T
  set(value: T): void
  /** Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
}

export function createStore<T>(value: T): Store<T> {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}
