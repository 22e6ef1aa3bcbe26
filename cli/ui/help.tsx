import { Box, Text } from 'ink'
import type { Tone } from '../output/column.ts'
import { displayWidth } from '../output/display-width.ts'
import type { TextId } from '../texts.ts'
import type { KeyBinding } from './bindings.ts'
import { paint, useUi } from './ui-context.ts'

/** Number of lines for title and legend. */
const LINES_AROUND = 2
/** Meaning of colors. */
const LEGEND: readonly (readonly [Tone, TextId])[] = [
  ['good', 'label.works'],
  ['bad', 'ui.failed'],
  ['money', 'ui.money'],
  ['faint', 'ui.disabledOrUnused'],
]

interface Props {
  title: string
  bindings: readonly KeyBinding[]
  width: number
  height: number
}

/** Lists the keys of a screen, then the global keys. */
export function Help({ title, bindings, width, height }: Props) {
  const { t, digits } = useUi()
  const globalKeys = [
    [`${digits}, Tab`, t('ui.switchScreens')],
    [':', t('ui.commandAScreen')],
    ['?', t('ui.thisHelp')],
    ['q', t('ui.quit')],
    ['Ctrl-C', t('ui.quitAtOnce')],
  ] as const
  const lines = [
    ...bindings.filter(({ keys }) => keys.length > 0).map(({ shown, label }) => [shown, label] as const),
    ...globalKeys,
  ]
  const keyWidth = Math.max(...lines.map(([key]) => displayWidth(key))) + 2
  const perColumn = Math.max(1, height - LINES_AROUND)
  const columns = Array.from({ length: Math.ceil(lines.length / perColumn) }, (_, at) =>
    lines.slice(at * perColumn, (at + 1) * perColumn),
  )
  return (
    <Box flexDirection="column">
      <Text bold>{` ${t('ui.helpTitle', { title })}`}</Text>
      <Legend />
      <Box>
        {columns.map((columnLines) => (
          <Box key={columnLines[0]?.[0]} flexDirection="column" width={Math.floor(width / columns.length)}>
            {columnLines.map(([key, label]) => (
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

function Legend() {
  const { t, color } = useUi()
  if (!color) return <Text> </Text>
  return (
    <Text wrap="truncate-end">
      {` ${t('ui.colorsTitle')}`}
      {LEGEND.map(([tone, meaning]) => (
        <Text key={tone} {...paint(tone, color)}>{` ■ ${t(meaning)}`}</Text>
      ))}
    </Text>
  )
}
