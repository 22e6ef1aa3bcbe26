import Form from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import Select from '@arco-design/web-react/es/Select'
import { useTranslation } from 'react-i18next'
import {
  ACCOUNT_EVENTS,
  createNoticeTarget,
  NOTICE_EVENTS,
  NOTICE_KINDS,
  type NoticeEvent,
  type NoticeKind,
  type NoticeSetting,
  type NoticeTarget,
  SETTINGS_OF,
  updateNoticeTarget,
} from '../../api/notices.ts'
import { Field } from '../form/field.tsx'
import { FormDrawer } from '../form/form-drawer.tsx'
import { useAction } from '../saving.ts'

interface TargetForm extends Partial<Record<NoticeSetting, string>> {
  kind: NoticeKind
  name: string
  events: NoticeEvent[]
  language: 'en' | 'zh'
}

/** Settings that a new target does not require. */
const OPTIONAL: readonly NoticeSetting[] = ['base_url']
const SECRET: readonly NoticeSetting[] = ['secret', 'bot_token', 'device_key']

interface Props {
  /** The target to edit or `'new'`; undefined closes the drawer. */
  opened: NoticeTarget | 'new' | undefined
  gateway: boolean
  editable: boolean
  onClose: () => void
}

export function TargetDrawer({ opened, gateway, editable, onClose }: Props) {
  const { t, i18n } = useTranslation()
  const [form] = Form.useForm<TargetForm>()
  const storedTarget = opened === 'new' ? undefined : opened
  const kindField = Form.useWatch('kind', form)
  const kind: NoticeKind = storedTarget?.kind ?? (kindField as NoticeKind | undefined) ?? 'webhook'
  // Notices to users by mail go to the address of the account, so there is no address to set.
  const settings = !editable || (kind === 'mail' && !gateway) ? [] : SETTINGS_OF[kind]
  const saveAction = useAction({
    async run({ name, events, language, ...values }: TargetForm) {
      const filled = Object.fromEntries(settings.filter((name) => values[name]).map((name) => [name, values[name]]))
      if (!storedTarget) await createNoticeTarget({ kind, name, events, language, settings: filled, gateway })
      else {
        const settingsChange = Object.keys(filled).length > 0 && { settings: filled }
        await updateNoticeTarget({ id: storedTarget.id, name, events, language, ...settingsChange })
      }
    },
    done: t('action.done'),
    stale: ['notice'],
  })
  const required = [{ required: true, message: t('field.missing') }]
  const isNeeded = (name: NoticeSetting) =>
    !storedTarget && !OPTIONAL.includes(name) && !(kind === 'feishu' && name === 'secret')
  const events = gateway ? NOTICE_EVENTS : ACCOUNT_EVENTS
  const initial: Partial<TargetForm> = storedTarget ?? {
    kind: 'webhook',
    events: [],
    language: i18n.language.startsWith('zh') ? 'zh' : 'en',
  }
  return (
    <FormDrawer<TargetForm>
      title={t(storedTarget ? 'notify.edit' : 'notify.add')}
      visible={opened !== undefined}
      form={form}
      initialValues={initial}
      onSubmit={(values) => saveAction.mutateAsync(values)}
      onClose={onClose}
    >
      {!storedTarget && (
        <Field label={t('notify.kindField')} field="kind" rules={required}>
          <Select options={NOTICE_KINDS.map((value) => ({ value, label: t(`notify.kind.${value}`) }))} />
        </Field>
      )}
      <Field label={t('field.name')} field="name" rules={required}>
        <Input maxLength={64} />
      </Field>
      {settings.map((name) => (
        <Field
          key={`${kind} ${name}`}
          label={t(`notify.setting.${name}`)}
          field={name}
          rules={isNeeded(name) ? required : []}
          {...(storedTarget && { extra: t('notify.unchanged') })}
        >
          {SECRET.includes(name) ? <Input.Password autoComplete="new-password" /> : <Input autoComplete="off" />}
        </Field>
      ))}
      <Field label={t('notify.events')} field="events">
        <Select mode="multiple" options={events.map((value) => ({ value, label: t(`notify.event.${value}`) }))} />
      </Field>
      <Field label={t('notify.language')} field="language" rules={required}>
        <Select
          options={[
            { value: 'zh', label: '中文' },
            { value: 'en', label: 'English' },
          ]}
        />
      </Field>
    </FormDrawer>
  )
}
