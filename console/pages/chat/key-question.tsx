import Button from '@arco-design/web-react/es/Button'
import { IconLaunch } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { siteOf } from '../../chat-links.ts'
import { EmptyState } from '../../components/empty-state.tsx'

/**
 * Asks before a key is put into the URL of another site, because the site then knows the key. A click is required, so
 * that a link to this page cannot reveal a key.
 */
export function KeyConfirmation({ name, address, onOpen }: { name: string; address: string; onOpen: () => void }) {
  const { t } = useTranslation()
  const site = siteOf(address)
  return (
    <div className="panel">
      <EmptyState
        title={t('chat.keyQuestion', { site })}
        hint={t('chat.keyHint', { name, site })}
        action={
          <Button type="primary" icon={<IconLaunch />} onClick={onOpen}>
            {t('chat.openAt', { name, site })}
          </Button>
        }
      />
    </div>
  )
}
