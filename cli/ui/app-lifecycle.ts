import { createContext, useContext } from 'react'

/** Functions of the program for its screens. */
export interface AppLifecycle {
  /** Aborted when the user exits. */
  readonly leaving: AbortSignal
  /**
   * Registers work that must end before exit; its lines are printed on the restored terminal. The work must end soon after
   * `leaving` and never reject.
   */
  finish(work: Promise<readonly string[]>): void
  /** Opens the text in an editor, which takes over the terminal, and returns the result. Throws EDITOR_FAILED. */
  edit(text: string): Promise<string>
  /** Copies text to the terminal's clipboard (OSC 52); terminals without support ignore it. */
  copy(text: string): void
}

export const AppLifecycleContext = createContext<AppLifecycle | undefined>(undefined)

export function useAppLifecycle(): AppLifecycle {
  const outside = useContext(AppLifecycleContext)
  if (!outside) throw new Error('screens are shown by a program')
  return outside
}

/** Tracks running work of the screens and waits for its end at exit. */
export function createLeaving() {
  const controller = new AbortController()
  const { signal } = controller
  const open = new Set<Promise<readonly string[]>>()
  return {
    signal,
    finish(work: Promise<readonly string[]>): void {
      open.add(work)
      void work.finally(() => !signal.aborted && open.delete(work))
    },
    /** Waits for all work and returns the lines to print. */
    async end(): Promise<readonly string[]> {
      controller.abort()
      return (await Promise.all(open)).flat()
    },
  }
}
