import { Text } from 'ink'
import { displayWidth } from '../display-width.ts'
import { useDesk } from './desk.ts'
import type { ScreenEntry } from './screens.ts'

/** How much of a title is left where there is not room for all of them, step by step. */
const LENGTHS = [Number.POSITIVE_INFINITY, 6, 4, 3, 2, 1, 0]

/** The screens there are, on one line; the one that is seen is named whole. */
export function Tabs({ screens, at }: { screens: readonly ScreenEntry[]; at: number }) {
  const { columns, text } = useDesk()
  const namesOf = (length: number) =>
    screens.map(({ digit, title }, i) => {
      const name = [...text(title)].slice(0, i === at ? undefined : length).join('')
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
