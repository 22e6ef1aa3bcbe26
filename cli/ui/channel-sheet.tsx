import { useCallback } from 'react'
import type { Channel } from '../../core/channels/channel.ts'
import type { OneChannelHealth } from '../../core/channels/health/schema.ts'
import { CHANNEL_COLUMNS } from '../columns/channel.ts'
import { EVENT_COLUMNS, TROUBLE_COLUMNS, troublesOf } from '../columns/channel-health.ts'
import type { Column } from '../output/column.ts'
import { sanitizeName } from '../output/sanitize.ts'
import type { KeyBinding } from './bindings.ts'
import { BLANK, Sheet, type SheetLine, useRecordLines } from './sheet.tsx'
import { useUi } from './ui-context.ts'
import { useLoaded } from './use-loaded.ts'

interface Props {
  channel: Channel
  bindings: readonly KeyBinding[]
  onClose(): void
}

/** Details of a channel: settings, problems and events. */
export function ChannelSheet({ channel, bindings, onClose }: Props) {
  const { toolkit, actor, t, format, intervals } = useUi()
  const linesOf = useRecordLines()
  const load = useCallback(async () => toolkit.channels.healthOf(actor, channel.id), [toolkit, actor, channel.id])
  const { data, error } = useLoaded(load, { everyMs: intervals.slow })

  const rowText = <T,>(row: T, columns: readonly Column<T>[]) =>
    sanitizeName(columns.map(({ value }) => value(row, format)).join('  '))
  function healthLines({ healthy, circuits, disabled, events }: OneChannelHealth): SheetLine[] {
    const troubles = troublesOf({ circuits, disabled: disabled ? [disabled] : [] })
    return [
      BLANK,
      { title: t('ui.health'), text: healthy ? t('ui.well') : t('ui.unhealthy'), tone: healthy ? 'good' : 'bad' },
      ...troubles.map((trouble) => ({ text: rowText(trouble, TROUBLE_COLUMNS.slice(1)), tone: 'bad' as const })),
      BLANK,
      ...events.map((event, at) => ({
        ...(at === 0 && { title: t('ui.history') }),
        text: rowText(event, EVENT_COLUMNS),
        tone: EVENT_COLUMNS.find(({ tone }) => tone)?.tone?.(event),
      })),
    ]
  }
  const lines = [...linesOf(channel, CHANNEL_COLUMNS), ...(data ? healthLines(data) : [])]
  return (
    <Sheet
      title={t('ui.channelTitle', { name: channel.name })}
      lines={lines}
      error={error}
      bindings={bindings}
      onClose={onClose}
    />
  )
}
