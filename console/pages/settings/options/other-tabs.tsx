import { useTranslation } from 'react-i18next'
import { Link } from '../../../router/link.tsx'
import { OPTION_PLACES, type OptionTab, optionAddress } from './option-index.ts'
import { matchesSearch, optionLabelOf } from './option-names.ts'

/** Maximum number of results per tab. */
const RESULTS_MAX = 12

/** Links to the options in other tabs that match the search. */
export function OtherTabs({ search, open }: { search: string; open: string }) {
  const { t, i18n } = useTranslation()
  if (search.trim() === '') return null
  const matches = OPTION_PLACES.filter(({ tab, field }) => tab !== open && matchesSearch(t, i18n, field, search))
  const tabs: readonly OptionTab[] = ['operation', 'system', 'other']
  return tabs.map((tab) => {
    const places = matches.filter((place) => place.tab === tab).slice(0, RESULTS_MAX)
    if (places.length === 0) return null
    const title = t('option.inTab', { tab: t(`personal.tab.${tab}`) })
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
