import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import { IconFilter, IconSearch } from '@arco-design/web-react/icon'
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../layout/narrow.ts'
import './filter-bar.css'

interface Props<Name extends string> {
  /** The text fields: filter name and label. */
  fields: readonly { name: Name; label: string }[]
  values: Record<Name, string>
  onSearch: (values: Record<Name, string>) => void
  /** Selects and other filters that apply immediately. */
  children?: ReactNode
  /** Number of active filters, shown on phones; absent: the number of filled text fields. */
  count?: number
  /** Called by the clear button, which is shown while filters are active. */
  onClear?: (() => void) | undefined
}

/** Text filters, applied together by Enter or the button. On phones, one button shows the filters. */
export function FilterBar<Name extends string>({ fields, values, onSearch, children, count, onClear }: Props<Name>) {
  const { t } = useTranslation()
  const narrow = useNarrow()
  const [open, setOpen] = useState(false)
  // Texts that differ from the URL, which lags briefly while the page rerenders.
  const [drafts, setDrafts] = useState<Partial<Record<Name, string>>>({})
  const texts = fields.map(({ name }) => [name, values[name]] as const)
  // Text filters only: choosing from a select must not discard typed text.
  const applied = JSON.stringify(texts)
  const active = count ?? texts.filter(([, text]) => text !== '').length
  const known = useRef(values)
  // Texts sent to the URL. When they appear there, keep what the user has typed since.
  const lastSearch = useRef<Partial<Record<Name, string>>>({})
  const follow = useEffectEvent(() => {
    const changed = texts.filter(([name, text]) => text !== known.current[name])
    known.current = values
    const news = changed.filter(([name, text]) => text !== lastSearch.current[name])
    for (const [name] of changed) delete lastSearch.current[name]
    if (news.length > 0) setDrafts((drafts) => ({ ...drafts, ...Object.fromEntries(news) }))
  })
  // The URL may also change through back or a link.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the applied filters change
  useEffect(follow, [applied])

  const textOf = (name: Name) => drafts[name] ?? values[name]

  function send(texts: Partial<Record<Name, string>>) {
    lastSearch.current = texts
    setDrafts(texts)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const trimmed = Object.fromEntries(fields.map(({ name }) => [name, textOf(name).trim()])) as Record<Name, string>
    send(trimmed)
    onSearch({ ...values, ...trimmed })
  }

  function clear() {
    send(Object.fromEntries(fields.map(({ name }) => [name, ''])) as Record<Name, string>)
    onClear?.()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: some supported browsers lack <search>
    <form className="filter-bar" role="search" aria-label={t('table.filters')} onSubmit={submit}>
      {narrow && (
        <Button icon={<IconFilter />} aria-expanded={open} onClick={() => setOpen(!open)}>
          {active > 0 ? t('table.filtersOn', { count: active }) : t('table.filters')}
        </Button>
      )}
      {(!narrow || open) && (
        <>
          {fields.map(({ name, label }) => (
            <Input
              key={name}
              value={textOf(name)}
              onChange={(text) => setDrafts((drafts) => ({ ...drafts, [name]: text }))}
              placeholder={label}
              aria-label={label}
              className="filter-text"
              allowClear
            />
          ))}
          {children}
          {fields.length > 0 && (
            <Button type="primary" htmlType="submit" icon={<IconSearch />}>
              {t('action.search')}
            </Button>
          )}
          {onClear && (
            <Button type="text" onClick={clear}>
              {t('table.clearFilters')}
            </Button>
          )}
        </>
      )}
    </form>
  )
}
