import Button from '@arco-design/web-react/es/Button'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type BadgeStyle, StatusTag } from '../../components/status-tag.tsx'
import type { KindName } from './kinds.ts'
import { CHILDREN_MAX, type ChannelTableRow, isTagRow, type TagRow } from './rows.ts'
import { statusBadge } from './status.ts'

/** A channel's tag. A click filters the list by this tag. */
export function TagButton({ tag, onTag }: { tag: string; onTag: (tag: string) => void }) {
  const { t } = useTranslation()
  return (
    <Button size="mini" type="text" aria-label={t('channel.onlyTag', { tag })} onClick={() => onTag(tag)}>
      {tag}
    </Button>
  )
}

/** A tag above its channels. If some of its channels have no row, a button lists all channels of the tag. */
export function TagName({ row: { tag, count }, onTag }: { row: TagRow; onTag: (tag: string) => void }) {
  const { t } = useTranslation()
  return (
    <span className="tag-name">
      <strong className="channel-name">{tag}</strong>
      {count > CHILDREN_MAX ? (
        <Button size="mini" type="text" onClick={() => onTag(tag)}>
          {t('channel.showAllOf', { tag, count })}
        </Button>
      ) : (
        <span>{t('channel.channels', { count })}</span>
      )}
    </span>
  )
}

/** A channel's status, with the gateway's reason for disabling it. For a tag, the number of enabled channels. */
export function StateCell({ row }: { row: ChannelTableRow }) {
  const { t } = useTranslation()
  if (isTagRow(row)) return <StatusTag {...enabledBadge(t, row)} />
  const { reason, ...style } = statusBadge(t, row)
  return (
    <div className="state-cell">
      <StatusTag {...style} />
      {reason && (
        <span className="clamp state-reason" title={reason.slice(0, 300)}>
          {reason}
        </span>
      )}
    </div>
  )
}

/** The type of a channel and the number of its keys. For a tag, the types of its channels. */
export function Kinds({ row, nameOf }: { row: ChannelTableRow; nameOf: KindName }) {
  const { t } = useTranslation()
  const keys = isTagRow(row) ? undefined : row.multi_key
  return (
    <span className="tags">
      <span>{(isTagRow(row) ? row.types : [row.type]).map((type) => nameOf(type)).join(', ')}</span>
      {keys && (
        <span
          className="muted"
          title={t('channel.keysHint', { mode: t(`channel.keyMode.${keys.mode}`), out: keys.set_aside.length })}
        >
          {t('channel.keys', { count: keys.keys })}
        </span>
      )}
    </span>
  )
}

/** Returns a label for how many channels of a tag are enabled. */
export function enabledBadge(t: TFunction, { enabled, count }: TagRow): BadgeStyle {
  const color = enabled === count ? 'green' : enabled === 0 ? 'red' : 'orange'
  return { text: t('channel.enabledOf', { enabled, count }), color }
}
