import { profileFor } from '../models/presets.ts';
import type { ProviderProfile } from '../models/profile.ts';

/** Providers whose own refusals the strict endpoint knows. */
export type Provider = 'openai' | 'deepseek' | 'mistral' | 'gemini';

const hosts: Record<Provider, { baseURL: string; model: string }> = {
  openai: { baseURL: 'https://api.openai.com/v1', model: 'gpt-5' },
  deepseek: { baseURL: 'https://api.deepseek.com', model: 'deepseek-chat' },
  mistral: { baseURL: 'https://api.mistral.ai/v1', model: 'mistral-large-latest' },
  gemini: { baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai', model: 'gemini-3-pro' },
};

export const providers = Object.keys(hosts) as Provider[];

/** How this provider is asked in earnest. Presets go by the host, and a scripted model is on this machine. */
export const profileOf = (provider: Provider): ProviderProfile => profileFor(hosts[provider]);
