import { createContext, useContext } from 'react'
import { useUi } from './ui-context.ts'

/** Functions of the program for its screens. */
export interface AppLifecycle {
  /** Signal that aborts when the user exits. */
  readonly leaving: AbortSignal
  /**
   * Registers work that must end before the program exits. The lines that the work returns are printed on the restored
   * terminal. The work must end soon after `leaving` and never reject.
   */
  finish(work: Promise<readonly string[]>): void
  /** Opens the text in an editor, which takes over the terminal, and returns the result. Throws EDITOR_FAILED. */
  edit(text: string): Promise<string>
  /** Copies text to the terminal's clipboard (OSC 52). Some terminals do not support OSC 52 and ignore the text. */
  copy(text: string): void
}

export const AppLifecycleContext = createContext<AppLifecycle | undefined>(undefined)

export function useAppLifecycle(): AppLifecycle {
  const lifecycle = useContext(AppLifecycleContext)
  if (!lifecycle) throw new Error('useAppLifecycle must be used inside AppLifecycleContext')
  return lifecycle
}

/**
 * Returns a function that copies `text` to the terminal's clipboard and shows a message. The message contains `what`,
 * never the text, because the text can be an API key.
 */
export function useCopy(): (what: string, text: string) => void {
  const { notify, t } = useUi()
  const { copy } = useAppLifecycle()
  return (what, text) => {
    copy(text)
    notify(t('ui.copied', { what }), 'good')
  }
}

/** Tracks running work of the screens and waits for its end at exit. */
export function createLeaving() {
  const controller = new AbortController()
  const { signal } = controller
  const runningWork = new Set<Promise<readonly string[]>>()
  return {
    signal,
    finish(work: Promise<readonly string[]>): void {
      runningWork.add(work)
      void work.finally(() => !signal.aborted && runningWork.delete(work))
    },
    /** Waits for all work and returns the lines to print. */
    async end(): Promise<readonly string[]> {
      controller.abort()
      return (await Promise.all(runningWork)).flat()
    },
  }
}
