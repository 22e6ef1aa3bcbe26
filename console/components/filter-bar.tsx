import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import { IconSearch } from '@arco-design/web-react/icon'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../layout/narrow.ts'
import './filter-bar.css'

interface Props<Name extends string> {
  /** The text fields: name of the filter, and what it is called. */
  fields: readonly { name: Name; label: string }[]
  values: Record<Name, string>
  onSearch: (values: Record<Name, string>) => void
  /** Selects and the like, which apply at once. */
  children?: ReactNode
  /** Shown as a button while something is filtered. */
  onClear?: (() => void) | undefined
}

/** More fields than these would push the list itself off a phone's screen. */
const NARROW_FIELDS_MAX = 3

/** Text filters that are applied together, by Enter or by the button. */
export function FilterBar<Name extends string>({ fields, values, onSearch, children, onClear }: Props<Name>) {
  const { t } = useTranslation()
  const narrow = useNarrow()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState(values)
  // The texts alone: who chooses from a select has not done with typing.
  const applied = JSON.stringify(fields.map(({ name }) => [name, values[name]]))
  // The address has changed by itself: back, reload, or "clear".
  useEffect(() => setTyped(Object.fromEntries(JSON.parse(applied)) as Record<Name, string>), [applied])

  function submit(event: FormEvent) {
    event.preventDefault()
    const trimmed = { ...values }
    for (const { name } of fields) trimmed[name] = (typed[name] ?? '').trim()
    onSearch(trimmed)
  }

  function clear() {
    setTyped(values) // what was typed and not applied is no part of the address, which would else take it back
    onClear?.()
  }

  const foldable = narrow && fields.length > NARROW_FIELDS_MAX
  const folded = foldable && !open
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is younger than browsers that this must work in
    <form className="filter-bar" role="search" aria-label={t('table.filters')} onSubmit={submit}>
      {(folded ? fields.slice(0, 1) : fields).map(({ name, label }) => (
        <Input
          key={name}
          value={typed[name] ?? ''}
          onChange={(text) => setTyped({ ...typed, [name]: text })}
          placeholder={label}
          aria-label={label}
          className="filter-text"
          allowClear
        />
      ))}
      {!folded && children}
      <Button type="primary" htmlType="submit" icon={<IconSearch />}>
        {t('action.search')}
      </Button>
      {foldable && (
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'table.fewerFilters' : 'table.moreFilters')}
        </Button>
      )}
      {onClear && (
        <Button type="text" onClick={clear}>
          {t('table.clearFilters')}
        </Button>
      )}
    </form>
  )
}
