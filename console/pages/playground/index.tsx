import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Drawer from '@arco-design/web-react/es/Drawer'
import { IconCode, IconDelete, IconSettings } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../../components/confirm.tsx'
import { onDemand } from '../../components/on-demand.tsx'
import { PageFrame } from '../../components/page.tsx'
import { useNarrow } from '../../layout/narrow.ts'
import { useSearchParams } from '../../router/hooks.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { Composer } from './composer.tsx'
import { requestFor } from './conversation.ts'
import { MessageList } from './message-list.tsx'
import './playground.css'
import { SettingsPanel } from './settings-panel.tsx'
import { useChat } from './use-chat.ts'
import { usePlaygroundChoices } from './use-choices.ts'

const CodeDialog = onDemand(async () => (await import('./code-dialog.tsx')).CodeDialog)

/** A chat with any model that the user may call. The replies are charged to the user's balance. */
export default function PlaygroundPage() {
  const { t } = useTranslation()
  const { user } = useStore(session)
  const userId = user?.id ?? 0
  const narrow = useNarrow()
  const confirm = useConfirm()
  const [query] = useSearchParams()
  const [panelOpen, setPanelOpen] = useState(false)
  const [codeOpen, setCodeOpen] = useState(false)
  const chat = useChat(userId)
  // The model in a link from a model's page. A choice on this page overrides this model.
  const [requestedModel] = useState(() => query.get('model'))
  const choices = usePlaygroundChoices(
    requestedModel
      ? { ...chat.settings, model: chat.settingsChosen ? chat.settings.model : requestedModel }
      : chat.settings,
    user?.group,
  )

  const panel = (
    <SettingsPanel userId={userId} settings={choices.settings} choices={choices} onChange={chat.setSettings} />
  )
  const tools = (
    <>
      {narrow && (
        <Button icon={<IconSettings />} onClick={() => setPanelOpen(true)}>
          {t('screen.setting')}
        </Button>
      )}
      <Button icon={<IconCode />} onClick={() => setCodeOpen(true)}>
        {t('playground.viewCode')}
      </Button>
      <Button
        icon={<IconDelete />}
        disabled={chat.messages.length === 0}
        onClick={() =>
          confirm({
            title: t('playground.clearQuestion'),
            content: t('playground.clearContent'),
            okText: t('playground.clear'),
            danger: true,
            onOk: chat.clear,
          })
        }
      >
        {t('playground.clear')}
      </Button>
    </>
  )
  return (
    <div className="playground">
      <PageFrame title={t('screen.playground')} extra={tools}>
        {query.has('expired') && <Alert type="error" content={t('failure.signedOut')} />}
        <CodeDialog
          request={requestFor(choices.settings, chat.messages)}
          visible={codeOpen}
          onClose={() => setCodeOpen(false)}
        />
        <div className="playground-body">
          {narrow ? (
            <Drawer
              title={<span>{t('screen.setting')}</span>}
              visible={panelOpen}
              width="100%"
              footer={
                <Button type="primary" onClick={() => setPanelOpen(false)}>
                  {t('action.close')}
                </Button>
              }
              onCancel={() => setPanelOpen(false)}
            >
              {panel}
            </Drawer>
          ) : (
            <aside className="playground-settings" aria-label={t('screen.setting')}>
              {panel}
            </aside>
          )}
          <section className="playground-chat" aria-label={t('playground.conversation')}>
            <MessageList chat={chat} settings={choices.settings} />
            <Composer
              userId={userId}
              busy={chat.busy}
              onSend={(text, images) => chat.send(text, images, choices.settings)}
              onStop={chat.stop}
            />
          </section>
        </div>
      </PageFrame>
    </div>
  )
}
