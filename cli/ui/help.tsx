import { Box, Text } from 'ink'
import { displayWidth } from '../display-width.ts'
import type { Binding } from './bindings.ts'
import { useDesk } from './desk.ts'

interface Props {
  title: string
  bindings: readonly Binding[]
  width: number
  height: number
}

/** All keys of a screen, and those that work everywhere. */
export function Help({ title, bindings, width, height }: Props) {
  const { say, text, digits } = useDesk()
  const everywhere = [
    [`${digits}, Tab`, text('another screen')],
    ['?', text('this help; any key closes it')],
    ['q', text('quit')],
    ['Ctrl-C', text('quit at once')],
  ] as const
  const lines = [
    ...bindings.filter(({ keys }) => keys.length > 0).map(({ shown, label }) => [shown, label] as const),
    ...everywhere,
  ]
  const keyWidth = Math.max(...lines.map(([key]) => displayWidth(key))) + 2
  const perColumn = Math.max(1, height - 2)
  const columns = Array.from({ length: Math.ceil(lines.length / perColumn) }, (_, at) =>
    lines.slice(at * perColumn, (at + 1) * perColumn),
  )
  return (
    <Box flexDirection="column">
      <Text bold>{` ${say`Keys: ${title}`}`}</Text>
      <Text> </Text>
      <Box>
        {columns.map((some) => (
          <Box key={some[0]?.[0]} flexDirection="column" width={Math.floor(width / columns.length)}>
            {some.map(([key, label]) => (
              <Text key={key} wrap="truncate-end">
                {'  '}
                <Text bold>{key + ' '.repeat(keyWidth - displayWidth(key))}</Text>
                {label}
              </Text>
            ))}
          </Box>
        ))}
      </Box>
    </Box>
  )
}
