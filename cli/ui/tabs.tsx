import { Text } from 'ink'
import { displayWidth } from '../output/display-width.ts'
import type { ScreenEntry } from './screens.ts'
import { useUi } from './ui-context.ts'

/** Maximum title lengths to try until all titles fit. */
const LENGTHS = [Number.POSITIVE_INFINITY, 6, 4, 3, 2, 1, 0]

/** Titles of all screens on one line. The title of the open screen is never shortened. */
export function Tabs({ screens, at }: { screens: readonly ScreenEntry[]; at: number }) {
  const { columns, t } = useUi()
  const namesOf = (length: number) =>
    screens.map(({ digit, title }, i) => {
      const name = [...t(title)].slice(0, i === at ? undefined : length).join('')
      return name === '' ? ` ${digit} ` : ` ${digit} ${name} `
    })
  const fits = (names: readonly string[]) => displayWidth(names.join('')) <= columns
  const names = LENGTHS.map(namesOf).find(fits) ?? namesOf(0)
  return (
    <Text wrap="truncate-end">
      {screens.map(({ digit }, i) => (
        <Text key={digit} inverse={i === at} bold={i === at}>
          {names[i]}
        </Text>
      ))}
    </Text>
  )
}
