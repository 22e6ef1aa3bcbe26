import Anchor from '@arco-design/web-react/es/Anchor'
import Input from '@arco-design/web-react/es/Input'
import { IconSearch } from '@arco-design/web-react/icon'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OptionTexts } from '../../../api/options.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { useLeaveGuard } from '../../../components/leave-guard.tsx'
import { LoadFailure } from '../../../components/load-failure.tsx'
import { LongPageSkeleton } from '../../../components/long-page-skeleton.tsx'
import { useFilters } from '../../../components/paging.ts'
import { useFilterText } from '../../../components/typed-filter.ts'
import { useSearchParams } from '../../../router/hooks.ts'
import { Link } from '../../../router/link.tsx'
import { withParameters } from '../../../router/location.ts'
import type { AreaName, SettingsArea } from './area.ts'
import { AreaCard, type AreaParts } from './area-card.tsx'
import './areas-page.css'
import { OPTION_PLACES, type OptionTab, optionAddress } from './option-index.ts'
import { matchesSearch, optionLabelOf } from './option-names.ts'
import { useFilledSecrets, useOptions } from './use-options.ts'

interface Props {
  /** Returns the areas for the stored options. */
  areas: (stored: OptionTexts) => readonly SettingsArea[]
  parts?: Partial<Record<AreaName, AreaParts>>
}

/** The areas of a tab, with a search field and a list of links. Asks before the user leaves unsaved changes. */
export function AreasPage({ areas, parts = {} }: Props) {
  const { t, i18n } = useTranslation()
  const { data: stored, error, refetch } = useOptions()
  const secrets = useFilledSecrets()
  const { filters, setFilters } = useFilters({ q: '' })
  const [searchText, setSearchText] = useFilterText(filters.q, (q) => setFilters({ q }, { replace: true }))
  const search = useDeferredValue(searchText)
  const [dirty, setDirty] = useState<readonly AreaName[]>([])
  const onDirty = useCallback((name: AreaName, isDirty: boolean) => {
    setDirty((names) => {
      if (names.includes(name) === isDirty) return names
      return isDirty ? [...names, name] : names.filter((other) => other !== name)
    })
  }, [])
  const [query] = useSearchParams()
  // Render the many fields with low priority, so that the browser can paint and handle input.
  const ready = useDeferredValue(stored !== undefined && !secrets.isPending)
  useJump(ready)
  const guard = useLeaveGuard(dirty.length > 0, 'tab')

  // Returns the same objects until the stored options change, so that cards do not rerender while the user types.
  const allAreas = useMemo(() => (stored ? areas(stored) : []), [areas, stored])

  if (!stored && error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (!stored || !ready) return <LongPageSkeleton />

  const title = (name: AreaName) => t(`option.area.${name}`)
  const matches = allAreas.filter(
    ({ name, fields }) =>
      title(name).toLowerCase().includes(search.trim().toLowerCase()) ||
      fields.some((field) => matchesSearch(t, i18n, field, search)),
  )

  return (
    <div className="areas">
      {guard}
      <div className="areas-list">
        <Input
          className="areas-search"
          prefix={<IconSearch />}
          value={searchText}
          onChange={setSearchText}
          placeholder={t('option.searchAll')}
          aria-label={t('option.search')}
          allowClear
        />
        {allAreas.map((area) => (
          <AreaCard
            key={area.name}
            area={area}
            stored={stored}
            secrets={secrets.data}
            search={search}
            onDirty={onDirty}
            {...parts[area.name]}
          />
        ))}
        <OtherTabs search={search} open={query.get('tab') ?? ''} />
        {matches.length === 0 && <EmptyState title={t('option.noMatch')} hint={t('option.noMatchHint')} />}
      </div>
      <nav className="areas-nav" aria-label={t('option.areas')}>
        <Anchor affix={false} hash={false} animation={false} boundary={72}>
          {matches.map(({ name }) => (
            <Anchor.Link key={name} href={`#${name}`} title={title(name)} />
          ))}
        </Anchor>
      </nav>
    </div>
  )
}

/** Maximum number of results per tab. */
const RESULTS_MAX = 12

/** Links to the options in other tabs that match the search. */
function OtherTabs({ search, open }: { search: string; open: string }) {
  const { t, i18n } = useTranslation()
  if (search.trim() === '') return null
  const matches = OPTION_PLACES.filter(({ tab, field }) => tab !== open && matchesSearch(t, i18n, field, search))
  const tabs: readonly OptionTab[] = ['operation', 'system', 'other']
  return tabs.map((tab) => {
    const places = matches.filter((place) => place.tab === tab).slice(0, RESULTS_MAX)
    if (places.length === 0) return null
    const title = t('option.inTab', { tab: t(`palette.tab.${tab}`) })
    return (
      <nav key={tab} className="panel other-tab" aria-label={title}>
        <h2>{title}</h2>
        <ul>
          {places.map((place) => (
            <li key={place.field.key}>
              <Link to={optionAddress(place)}>{optionLabelOf(t, i18n, place.field.key)}</Link>{' '}
              <span className="muted">{t(`option.area.${place.area}`)}</span>
            </li>
          ))}
        </ul>
      </nav>
    )
  })
}

const HIGHLIGHT_MS = 3_000

/** On a ready page, scrolls to the option in the URL (`&option=RetryTimes`), highlights it briefly and focuses it. */
function useJump(ready: boolean): void {
  const [query, setQuery] = useSearchParams()
  const key = query.get('option')
  useEffect(() => {
    if (!ready || key === null) return
    const element = document.getElementById(`option-${key}`)
    setQuery((query) => withParameters(query, { option: undefined }), { replace: true })
    if (!element) return
    element.scrollIntoView({ block: 'center' })
    element.classList.add('option-jumped')
    element
      .querySelector<HTMLElement>('input, textarea, [role="switch"], [tabindex="0"]')
      ?.focus({ preventScroll: true })
    setTimeout(() => element.classList.remove('option-jumped'), HIGHLIGHT_MS)
  }, [ready, key, setQuery])
}
