import Button from '@arco-design/web-react/es/Button'
import Tag from '@arco-design/web-react/es/Tag'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { StatusTag, type TagLook } from '../../components/status-tag.tsx'
import type { KindLook } from './kinds.ts'
import { CHILDREN_MAX, isTag, type Row, type TagRow } from './rows.ts'

/** The tag of a channel; pressing it shows those of the tag alone. */
export function TagButton({ tag, onTag }: { tag: string; onTag: (tag: string) => void }) {
  const { t } = useTranslation()
  return (
    <Button size="mini" type="text" aria-label={t('channel.onlyTag', { tag })} onClick={() => onTag(tag)}>
      {tag}
    </Button>
  )
}

/** A tag above its channels; where they are not all shown below, a way to all of them. */
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

export function Names({ names }: { names: readonly string[] }) {
  return (
    <span className="tags">
      {names.map((name) => (
        <Tag key={name} size="small">
          {name}
        </Tag>
      ))}
    </span>
  )
}

/** The kinds of upstream, and how many keys there are. */
export function Kinds({ row, look }: { row: Row; look: KindLook }) {
  const { t } = useTranslation()
  const keys = isTag(row) ? undefined : row.multi_key
  return (
    <span className="tags">
      {(isTag(row) ? row.types : [row.type]).map((type) => (
        <StatusTag key={type} {...look(type)} />
      ))}
      {keys && (
        <StatusTag
          text={t('channel.keys', { count: keys.keys })}
          color="gray"
          hint={t('channel.keysHint', { mode: t(`channel.keyMode.${keys.mode}`), out: keys.set_aside.length })}
        />
      )}
    </span>
  )
}

/** How many of a tag are enabled. */
export function enabledLook(t: TFunction, { enabled, count }: TagRow): TagLook {
  const color = enabled === count ? 'green' : enabled === 0 ? 'red' : 'orange'
  return { text: t('channel.enabledOf', { enabled, count }), color }
}
