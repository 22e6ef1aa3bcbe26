import { createContext, useContext } from 'react'

/** What a screen may ask of the program around the screens. */
export interface Outside {
  /** Aborted when somebody leaves. */
  readonly leaving: AbortSignal
  /**
   * Work that must not be cut off: when somebody leaves it is waited for, and what it answers is printed on the terminal that was
   * given back. It ends soon after `leaving`, and never rejects.
   */
  finish(work: Promise<readonly string[]>): void
  /** The text as it is after somebody has changed it in their editor, which has the terminal meanwhile. Throws EDITOR_FAILED. */
  edit(text: string): Promise<string>
}

export const OutsideContext = createContext<Outside | undefined>(undefined)

export function useOutside(): Outside {
  const outside = useContext(OutsideContext)
  if (!outside) throw new Error('screens are shown by a program')
  return outside
}

/** What is under way while screens are shown, and how it is brought to its end. */
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
    /** Answers what there is to print, once everything has ended. */
    async end(): Promise<readonly string[]> {
      controller.abort()
      return (await Promise.all(open)).flat()
    },
  }
}
