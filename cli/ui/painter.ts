const FRAME_MS = 15
const BEGIN = '\u001b[?2026h'
const END = '\u001b[?2026l'

/** Output of the painter. */
interface TerminalOutput {
  /** Returns false if the buffer is full. */
  write(text: string): boolean
  onceDrained(then: () => void): void
}

interface Painter {
  /** Shows a frame. Each line of `picture` is one line of the terminal. */
  show(picture: string): void
  /** Makes the next frame repaint everything, for example after a resize. */
  forget(): void
  stop(): void
}

/**
 * Writes only the lines that differ from the previous frame, which prevents flicker and saves bandwidth. Skips frames
 * that arrive faster than the terminal accepts them.
 *
 * For frames as high as the terminal, `incrementalRendering` of Ink 6 repaints the screen and deletes the scrollback.
 * Test: `a key redraws only the lines that it changes` in tests/cli/ui/drawing.test.ts.
 */
export function createPainter(output: TerminalOutput): Painter {
  let paintedLines: string[] = []
  let nextPicture: string[] | undefined
  let timer: NodeJS.Timeout | undefined
  let isWaiting = false

  function paint(): void {
    timer = undefined
    if (nextPicture === undefined || isWaiting) return
    const picture = nextPicture
    nextPicture = undefined
    const height = Math.max(picture.length, paintedLines.length)
    let changes = ''
    for (let at = 0; at < height; at += 1) {
      const text = picture[at] ?? ''
      // Clear the line before writing: clearing after a full line would erase its last character, where the cursor is.
      if (text !== paintedLines[at]) changes += `\u001b[${at + 1};1H\u001b[2K${text}`
    }
    paintedLines = picture
    if (changes === '') return
    isWaiting = !output.write(BEGIN + changes + END)
    if (isWaiting) {
      output.onceDrained(() => {
        isWaiting = false
        paint()
      })
    }
  }

  return {
    show(picture) {
      nextPicture = picture.split('\n')
      timer ??= setTimeout(paint, FRAME_MS)
    },
    forget() {
      paintedLines = []
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      nextPicture = undefined
    },
  }
}
