import Button from '@arco-design/web-react/es/Button'
import Form, { type FormInstance } from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import Radio from '@arco-design/web-react/es/Radio'
import Upload from '@arco-design/web-react/es/Upload'
import { IconUpload } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import type { ChannelType, EditedChannel } from '../../../api/channel-form.ts'
import { Field } from '../../../components/form/field.tsx'
import { PasswordInput } from '../../../components/form/password-input.tsx'
import { parseJsonObject } from '../../../components/json-text.ts'
import type { ChannelFormValues, KeyMode } from './channel-form.ts'

interface Props {
  form: FormInstance<ChannelFormValues>
  kind: ChannelType | undefined
  /** The stored channel; undefined for a new channel. */
  channel: EditedChannel | undefined
}

/** Fields for one or several keys, which also set how many channels are created, and how requests select a key. */
export function ChannelKeyFields({ form, kind, channel }: Props) {
  const { t } = useTranslation()
  const mode = (Form.useWatch('keyMode', form) as KeyMode | undefined) ?? 'one'
  const modes: KeyMode[] = channel ? ['one', 'several'] : ['one', 'batch', 'several']
  return (
    <>
      <Field label={t('channelForm.keyMode')} field="keyMode" extra={t(`channelForm.keyModeHint.${mode}`)}>
        <Radio.Group
          type="button"
          options={modes.map((value) => ({ value, label: t(`channelForm.keyModes.${value}`) }))}
        />
      </Field>
      {mode === 'several' && (
        <Field label={t('channelForm.severalBy')} field="multiKeyMode">
          <Radio.Group
            options={(['random', 'polling'] as const).map((value) => ({
              value,
              label: t(`channelForm.severalByMode.${value}`),
            }))}
          />
        </Field>
      )}
      <KeyField form={form} kind={kind} channel={channel} lines={mode !== 'one'} />
    </>
  )
}

function KeyField({ form, kind, channel, lines }: Props & { lines: boolean }) {
  const { t } = useTranslation()
  const document = kind?.key_document ?? false
  const format = kind ? t('channelForm.keyFormat', { format: kind.key_format }) : ''
  const storedKeyHint = channel?.multi_key
    ? t('channelForm.keysKept', { count: channel.multi_key.keys, aside: channel.multi_key.set_aside.length })
    : channel && t('channelForm.keyKept')

  return (
    <Field
      label={t(lines ? 'channelForm.keys' : 'field.key')}
      field="key"
      rules={channel ? [] : [{ required: true, match: /\S/, message: t('channelForm.keyMissing') }]}
      extra={
        <span className="channel-form-hint">
          {[format, storedKeyHint].filter(Boolean).join(' ')}
          {document && (
            <Upload
              accept=".json,application/json"
              autoUpload={false}
              showUploadList={false}
              onChange={(_, { originFile }) => void (originFile && readKeyFile(originFile))}
            >
              <Button size="mini" icon={<IconUpload />}>
                {t('channelForm.uploadKey')}
              </Button>
            </Upload>
          )}
        </span>
      }
    >
      {lines || document ? (
        <Input.TextArea
          autoSize={{ minRows: 3, maxRows: 10 }}
          placeholder={t(lines ? 'channelForm.keysHint' : 'channelForm.keyHint')}
          autoComplete="off"
          spellCheck={false}
          className="channel-form-code"
        />
      ) : (
        <PasswordInput placeholder={t('channelForm.keyHint')} autoComplete="new-password" />
      )}
    </Field>
  )

  /** Reads a file that contains one key. If the field can have several keys, appends the key. */
  async function readKeyFile(file: File) {
    const text = await file.text().catch(() => undefined)
    const key = text?.trim()
    if (key === undefined) return void Message.error(t('channelForm.unreadableKeyFile', { name: file.name }))
    if (key === '' || !parseJsonObject(key)) return void Message.error(t('channelForm.badKeyFile'))
    const previousKeys = form.getFieldsValue().key?.trim()
    form.setFieldValue('key', lines && previousKeys ? `${previousKeys}\n${key}` : key)
  }
}
