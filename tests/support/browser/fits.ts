import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Number of pixels by which buttons without a frame extend into the padding of their cell. */
const BUTTON_PX = 4

/** Expects that the page is no wider than its window, and that the content of each table cell is inside the cell and not under buttons. */
export async function expectFits(page: Page): Promise<void> {
  const excess = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await expect.poll(excess, { message: 'pixels outside the window' }).toBeLessThanOrEqual(0)
  await expect.poll(() => misplacedCells(page)).toEqual([])
}

async function misplacedCells(page: Page): Promise<string[]> {
  return page.evaluate((tolerance) => {
    const nameOf = (cell: HTMLElement) => `${cell.dataset.column}: ${cell.innerText}`
    const overlaps = (one: DOMRect, other: DOMRect) =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1
    const boxesOf = (cell: HTMLElement) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      return [...range.getClientRects()]
    }
    return [...document.querySelectorAll<HTMLElement>('.table-row')].flatMap((row) => {
      const cells = [...row.querySelectorAll<HTMLElement>('.table-cell')].filter(({ offsetParent }) => offsetParent)
      const buttons = [...row.querySelectorAll('.table-fixed-right button')].map((button) =>
        button.getBoundingClientRect(),
      )
      const wide = cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + tolerance)
      const covered = cells.filter(
        (cell) =>
          !cell.classList.contains('table-fixed-right') &&
          boxesOf(cell).some((box) => buttons.some((button) => overlaps(box, button))),
      )
      return [
        ...wide.map((cell) => `${nameOf(cell)} (${cell.scrollWidth} of ${cell.clientWidth} pixels)`),
        ...covered.map((cell) => `${nameOf(cell)} (under the buttons)`),
      ]
    })
  }, BUTTON_PX)
}
