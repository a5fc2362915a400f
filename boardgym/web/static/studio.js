var Ud=Object.defineProperty;var qd=Object.getOwnPropertyDescriptor;var v=(i,s,e,t)=>{for(var r=t>1?void 0:t?qd(s,e):s,n=i.length-1,o;n>=0;n--)(o=i[n])&&(r=(t?o(s,e,r):o(r))||r);return t&&r&&Ud(s,e,r),r};var Fr=globalThis,Vr=Fr.ShadowRoot&&(Fr.ShadyCSS===void 0||Fr.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,oo=Symbol(),Ya=new WeakMap,Xi=class{constructor(s,e,t){if(this._$cssResult$=!0,t!==oo)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=s,this.t=e}get styleSheet(){let s=this.o,e=this.t;if(Vr&&s===void 0){let t=e!==void 0&&e.length===1;t&&(s=Ya.get(e)),s===void 0&&((this.o=s=new CSSStyleSheet).replaceSync(this.cssText),t&&Ya.set(e,s))}return s}toString(){return this.cssText}},Hr=i=>new Xi(typeof i=="string"?i:i+"",void 0,oo),j=(i,...s)=>{let e=i.length===1?i[0]:s.reduce((t,r,n)=>t+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(r)+i[n+1],i[0]);return new Xi(e,i,oo)},Ja=(i,s)=>{if(Vr)i.adoptedStyleSheets=s.map(e=>e instanceof CSSStyleSheet?e:e.styleSheet);else for(let e of s){let t=document.createElement("style"),r=Fr.litNonce;r!==void 0&&t.setAttribute("nonce",r),t.textContent=e.cssText,i.appendChild(t)}},ao=Vr?i=>i:i=>i instanceof CSSStyleSheet?(s=>{let e="";for(let t of s.cssRules)e+=t.cssText;return Hr(e)})(i):i;var{is:zd,defineProperty:Wd,getOwnPropertyDescriptor:Kd,getOwnPropertyNames:Yd,getOwnPropertySymbols:Jd,getPrototypeOf:Zd}=Object,Gr=globalThis,Za=Gr.trustedTypes,Qd=Za?Za.emptyScript:"",Xd=Gr.reactiveElementPolyfillSupport,er=(i,s)=>i,tr={toAttribute(i,s){switch(s){case Boolean:i=i?Qd:null;break;case Object:case Array:i=i==null?i:JSON.stringify(i)}return i},fromAttribute(i,s){let e=i;switch(s){case Boolean:e=i!==null;break;case Number:e=i===null?null:Number(i);break;case Object:case Array:try{e=JSON.parse(i)}catch{e=null}}return e}},Br=(i,s)=>!zd(i,s),Qa={attribute:!0,type:String,converter:tr,reflect:!1,useDefault:!1,hasChanged:Br};Symbol.metadata??=Symbol("metadata"),Gr.litPropertyMetadata??=new WeakMap;var cs=class extends HTMLElement{static addInitializer(s){this._$Ei(),(this.l??=[]).push(s)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(s,e=Qa){if(e.state&&(e.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(s)&&((e=Object.create(e)).wrapped=!0),this.elementProperties.set(s,e),!e.noAccessor){let t=Symbol(),r=this.getPropertyDescriptor(s,t,e);r!==void 0&&Wd(this.prototype,s,r)}}static getPropertyDescriptor(s,e,t){let{get:r,set:n}=Kd(this.prototype,s)??{get(){return this[e]},set(o){this[e]=o}};return{get:r,set(o){let l=r?.call(this);n?.call(this,o),this.requestUpdate(s,l,t)},configurable:!0,enumerable:!0}}static getPropertyOptions(s){return this.elementProperties.get(s)??Qa}static _$Ei(){if(this.hasOwnProperty(er("elementProperties")))return;let s=Zd(this);s.finalize(),s.l!==void 0&&(this.l=[...s.l]),this.elementProperties=new Map(s.elementProperties)}static finalize(){if(this.hasOwnProperty(er("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(er("properties"))){let e=this.properties,t=[...Yd(e),...Jd(e)];for(let r of t)this.createProperty(r,e[r])}let s=this[Symbol.metadata];if(s!==null){let e=litPropertyMetadata.get(s);if(e!==void 0)for(let[t,r]of e)this.elementProperties.set(t,r)}this._$Eh=new Map;for(let[e,t]of this.elementProperties){let r=this._$Eu(e,t);r!==void 0&&this._$Eh.set(r,e)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(s){let e=[];if(Array.isArray(s)){let t=new Set(s.flat(1/0).reverse());for(let r of t)e.unshift(ao(r))}else s!==void 0&&e.push(ao(s));return e}static _$Eu(s,e){let t=e.attribute;return t===!1?void 0:typeof t=="string"?t:typeof s=="string"?s.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(s=>this.enableUpdating=s),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(s=>s(this))}addController(s){(this._$EO??=new Set).add(s),this.renderRoot!==void 0&&this.isConnected&&s.hostConnected?.()}removeController(s){this._$EO?.delete(s)}_$E_(){let s=new Map,e=this.constructor.elementProperties;for(let t of e.keys())this.hasOwnProperty(t)&&(s.set(t,this[t]),delete this[t]);s.size>0&&(this._$Ep=s)}createRenderRoot(){let s=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Ja(s,this.constructor.elementStyles),s}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(s=>s.hostConnected?.())}enableUpdating(s){}disconnectedCallback(){this._$EO?.forEach(s=>s.hostDisconnected?.())}attributeChangedCallback(s,e,t){this._$AK(s,t)}_$ET(s,e){let t=this.constructor.elementProperties.get(s),r=this.constructor._$Eu(s,t);if(r!==void 0&&t.reflect===!0){let n=(t.converter?.toAttribute!==void 0?t.converter:tr).toAttribute(e,t.type);this._$Em=s,n==null?this.removeAttribute(r):this.setAttribute(r,n),this._$Em=null}}_$AK(s,e){let t=this.constructor,r=t._$Eh.get(s);if(r!==void 0&&this._$Em!==r){let n=t.getPropertyOptions(r),o=typeof n.converter=="function"?{fromAttribute:n.converter}:n.converter?.fromAttribute!==void 0?n.converter:tr;this._$Em=r;let l=o.fromAttribute(e,n.type);this[r]=l??this._$Ej?.get(r)??l,this._$Em=null}}requestUpdate(s,e,t,r=!1,n){if(s!==void 0){let o=this.constructor;if(r===!1&&(n=this[s]),t??=o.getPropertyOptions(s),!((t.hasChanged??Br)(n,e)||t.useDefault&&t.reflect&&n===this._$Ej?.get(s)&&!this.hasAttribute(o._$Eu(s,t))))return;this.C(s,e,t)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(s,e,{useDefault:t,reflect:r,wrapped:n},o){t&&!(this._$Ej??=new Map).has(s)&&(this._$Ej.set(s,o??e??this[s]),n!==!0||o!==void 0)||(this._$AL.has(s)||(this.hasUpdated||t||(e=void 0),this._$AL.set(s,e)),r===!0&&this._$Em!==s&&(this._$Eq??=new Set).add(s))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(e){Promise.reject(e)}let s=this.scheduleUpdate();return s!=null&&await s,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[r,n]of this._$Ep)this[r]=n;this._$Ep=void 0}let t=this.constructor.elementProperties;if(t.size>0)for(let[r,n]of t){let{wrapped:o}=n,l=this[r];o!==!0||this._$AL.has(r)||l===void 0||this.C(r,void 0,n,l)}}let s=!1,e=this._$AL;try{s=this.shouldUpdate(e),s?(this.willUpdate(e),this._$EO?.forEach(t=>t.hostUpdate?.()),this.update(e)):this._$EM()}catch(t){throw s=!1,this._$EM(),t}s&&this._$AE(e)}willUpdate(s){}_$AE(s){this._$EO?.forEach(e=>e.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(s)),this.updated(s)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(s){return!0}update(s){this._$Eq&&=this._$Eq.forEach(e=>this._$ET(e,this[e])),this._$EM()}updated(s){}firstUpdated(s){}};cs.elementStyles=[],cs.shadowRootOptions={mode:"open"},cs[er("elementProperties")]=new Map,cs[er("finalized")]=new Map,Xd?.({ReactiveElement:cs}),(Gr.reactiveElementVersions??=[]).push("2.1.2");var fo=globalThis,Xa=i=>i,Ir=fo.trustedTypes,el=Ir?Ir.createPolicy("lit-html",{createHTML:i=>i}):void 0,ol="$lit$",ks=`lit$${Math.random().toFixed(9).slice(2)}$`,al="?"+ks,eu=`<${al}>`,zs=document,ir=()=>zs.createComment(""),rr=i=>i===null||typeof i!="object"&&typeof i!="function",go=Array.isArray,tu=i=>go(i)||typeof i?.[Symbol.iterator]=="function",lo=`[ 	
\f\r]`,sr=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,tl=/-->/g,sl=/>/g,Us=RegExp(`>|${lo}(?:([^\\s"'>=/]+)(${lo}*=${lo}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),il=/'/g,rl=/"/g,ll=/^(?:script|style|textarea|title)$/i,vo=i=>(s,...e)=>({_$litType$:i,strings:s,values:e}),d=vo(1),ee=vo(2),Bf=vo(3),Ws=Symbol.for("lit-noChange"),y=Symbol.for("lit-nothing"),nl=new WeakMap,qs=zs.createTreeWalker(zs,129);function cl(i,s){if(!go(i)||!i.hasOwnProperty("raw"))throw Error("invalid template strings array");return el!==void 0?el.createHTML(s):s}var su=(i,s)=>{let e=i.length-1,t=[],r,n=s===2?"<svg>":s===3?"<math>":"",o=sr;for(let l=0;l<e;l++){let p=i[l],u,b,f=-1,$=0;for(;$<p.length&&(o.lastIndex=$,b=o.exec(p),b!==null);)$=o.lastIndex,o===sr?b[1]==="!--"?o=tl:b[1]!==void 0?o=sl:b[2]!==void 0?(ll.test(b[2])&&(r=RegExp("</"+b[2],"g")),o=Us):b[3]!==void 0&&(o=Us):o===Us?b[0]===">"?(o=r??sr,f=-1):b[1]===void 0?f=-2:(f=o.lastIndex-b[2].length,u=b[1],o=b[3]===void 0?Us:b[3]==='"'?rl:il):o===rl||o===il?o=Us:o===tl||o===sl?o=sr:(o=Us,r=void 0);let P=o===Us&&i[l+1].startsWith("/>")?" ":"";n+=o===sr?p+eu:f>=0?(t.push(u),p.slice(0,f)+ol+p.slice(f)+ks+P):p+ks+(f===-2?l:P)}return[cl(i,n+(i[e]||"<?>")+(s===2?"</svg>":s===3?"</math>":"")),t]},nr=class i{constructor({strings:s,_$litType$:e},t){let r;this.parts=[];let n=0,o=0,l=s.length-1,p=this.parts,[u,b]=su(s,e);if(this.el=i.createElement(u,t),qs.currentNode=this.el.content,e===2||e===3){let f=this.el.content.firstChild;f.replaceWith(...f.childNodes)}for(;(r=qs.nextNode())!==null&&p.length<l;){if(r.nodeType===1){if(r.hasAttributes())for(let f of r.getAttributeNames())if(f.endsWith(ol)){let $=b[o++],P=r.getAttribute(f).split(ks),C=/([.?@])?(.*)/.exec($);p.push({type:1,index:n,name:C[2],strings:P,ctor:C[1]==="."?po:C[1]==="?"?uo:C[1]==="@"?ho:Ei}),r.removeAttribute(f)}else f.startsWith(ks)&&(p.push({type:6,index:n}),r.removeAttribute(f));if(ll.test(r.tagName)){let f=r.textContent.split(ks),$=f.length-1;if($>0){r.textContent=Ir?Ir.emptyScript:"";for(let P=0;P<$;P++)r.append(f[P],ir()),qs.nextNode(),p.push({type:2,index:++n});r.append(f[$],ir())}}}else if(r.nodeType===8)if(r.data===al)p.push({type:2,index:n});else{let f=-1;for(;(f=r.data.indexOf(ks,f+1))!==-1;)p.push({type:7,index:n}),f+=ks.length-1}n++}}static createElement(s,e){let t=zs.createElement("template");return t.innerHTML=s,t}};function Si(i,s,e=i,t){if(s===Ws)return s;let r=t!==void 0?e._$Co?.[t]:e._$Cl,n=rr(s)?void 0:s._$litDirective$;return r?.constructor!==n&&(r?._$AO?.(!1),n===void 0?r=void 0:(r=new n(i),r._$AT(i,e,t)),t!==void 0?(e._$Co??=[])[t]=r:e._$Cl=r),r!==void 0&&(s=Si(i,r._$AS(i,s.values),r,t)),s}var co=class{constructor(s,e){this._$AV=[],this._$AN=void 0,this._$AD=s,this._$AM=e}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(s){let{el:{content:e},parts:t}=this._$AD,r=(s?.creationScope??zs).importNode(e,!0);qs.currentNode=r;let n=qs.nextNode(),o=0,l=0,p=t[0];for(;p!==void 0;){if(o===p.index){let u;p.type===2?u=new or(n,n.nextSibling,this,s):p.type===1?u=new p.ctor(n,p.name,p.strings,this,s):p.type===6&&(u=new mo(n,this,s)),this._$AV.push(u),p=t[++l]}o!==p?.index&&(n=qs.nextNode(),o++)}return qs.currentNode=zs,r}p(s){let e=0;for(let t of this._$AV)t!==void 0&&(t.strings!==void 0?(t._$AI(s,t,e),e+=t.strings.length-2):t._$AI(s[e])),e++}},or=class i{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(s,e,t,r){this.type=2,this._$AH=y,this._$AN=void 0,this._$AA=s,this._$AB=e,this._$AM=t,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let s=this._$AA.parentNode,e=this._$AM;return e!==void 0&&s?.nodeType===11&&(s=e.parentNode),s}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(s,e=this){s=Si(this,s,e),rr(s)?s===y||s==null||s===""?(this._$AH!==y&&this._$AR(),this._$AH=y):s!==this._$AH&&s!==Ws&&this._(s):s._$litType$!==void 0?this.$(s):s.nodeType!==void 0?this.T(s):tu(s)?this.k(s):this._(s)}O(s){return this._$AA.parentNode.insertBefore(s,this._$AB)}T(s){this._$AH!==s&&(this._$AR(),this._$AH=this.O(s))}_(s){this._$AH!==y&&rr(this._$AH)?this._$AA.nextSibling.data=s:this.T(zs.createTextNode(s)),this._$AH=s}$(s){let{values:e,_$litType$:t}=s,r=typeof t=="number"?this._$AC(s):(t.el===void 0&&(t.el=nr.createElement(cl(t.h,t.h[0]),this.options)),t);if(this._$AH?._$AD===r)this._$AH.p(e);else{let n=new co(r,this),o=n.u(this.options);n.p(e),this.T(o),this._$AH=n}}_$AC(s){let e=nl.get(s.strings);return e===void 0&&nl.set(s.strings,e=new nr(s)),e}k(s){go(this._$AH)||(this._$AH=[],this._$AR());let e=this._$AH,t,r=0;for(let n of s)r===e.length?e.push(t=new i(this.O(ir()),this.O(ir()),this,this.options)):t=e[r],t._$AI(n),r++;r<e.length&&(this._$AR(t&&t._$AB.nextSibling,r),e.length=r)}_$AR(s=this._$AA.nextSibling,e){for(this._$AP?.(!1,!0,e);s!==this._$AB;){let t=Xa(s).nextSibling;Xa(s).remove(),s=t}}setConnected(s){this._$AM===void 0&&(this._$Cv=s,this._$AP?.(s))}},Ei=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(s,e,t,r,n){this.type=1,this._$AH=y,this._$AN=void 0,this.element=s,this.name=e,this._$AM=r,this.options=n,t.length>2||t[0]!==""||t[1]!==""?(this._$AH=Array(t.length-1).fill(new String),this.strings=t):this._$AH=y}_$AI(s,e=this,t,r){let n=this.strings,o=!1;if(n===void 0)s=Si(this,s,e,0),o=!rr(s)||s!==this._$AH&&s!==Ws,o&&(this._$AH=s);else{let l=s,p,u;for(s=n[0],p=0;p<n.length-1;p++)u=Si(this,l[t+p],e,p),u===Ws&&(u=this._$AH[p]),o||=!rr(u)||u!==this._$AH[p],u===y?s=y:s!==y&&(s+=(u??"")+n[p+1]),this._$AH[p]=u}o&&!r&&this.j(s)}j(s){s===y?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,s??"")}},po=class extends Ei{constructor(){super(...arguments),this.type=3}j(s){this.element[this.name]=s===y?void 0:s}},uo=class extends Ei{constructor(){super(...arguments),this.type=4}j(s){this.element.toggleAttribute(this.name,!!s&&s!==y)}},ho=class extends Ei{constructor(s,e,t,r,n){super(s,e,t,r,n),this.type=5}_$AI(s,e=this){if((s=Si(this,s,e,0)??y)===Ws)return;let t=this._$AH,r=s===y&&t!==y||s.capture!==t.capture||s.once!==t.once||s.passive!==t.passive,n=s!==y&&(t===y||r);r&&this.element.removeEventListener(this.name,this,t),n&&this.element.addEventListener(this.name,this,s),this._$AH=s}handleEvent(s){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,s):this._$AH.handleEvent(s)}},mo=class{constructor(s,e,t){this.element=s,this.type=6,this._$AN=void 0,this._$AM=e,this.options=t}get _$AU(){return this._$AM._$AU}_$AI(s){Si(this,s)}};var iu=fo.litHtmlPolyfillSupport;iu?.(nr,or),(fo.litHtmlVersions??=[]).push("3.3.3");var pl=(i,s,e)=>{let t=e?.renderBefore??s,r=t._$litPart$;if(r===void 0){let n=e?.renderBefore??null;t._$litPart$=r=new or(s.insertBefore(ir(),n),n,void 0,e??{})}return r._$AI(i),r};var bo=globalThis,F=class extends cs{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let s=super.createRenderRoot();return this.renderOptions.renderBefore??=s.firstChild,s}update(s){let e=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(s),this._$Do=pl(e,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return Ws}};F._$litElement$=!0,F.finalized=!0,bo.litElementHydrateSupport?.({LitElement:F});var ru=bo.litElementPolyfillSupport;ru?.({LitElement:F});(bo.litElementVersions??=[]).push("4.2.2");var I=i=>(s,e)=>{e!==void 0?e.addInitializer(()=>{customElements.define(i,s)}):customElements.define(i,s)};var nu={attribute:!0,type:String,converter:tr,reflect:!1,hasChanged:Br},ou=(i=nu,s,e)=>{let{kind:t,metadata:r}=e,n=globalThis.litPropertyMetadata.get(r);if(n===void 0&&globalThis.litPropertyMetadata.set(r,n=new Map),t==="setter"&&((i=Object.create(i)).wrapped=!0),n.set(e.name,i),t==="accessor"){let{name:o}=e;return{set(l){let p=s.get.call(this);s.set.call(this,l),this.requestUpdate(o,p,i,!0,l)},init(l){return l!==void 0&&this.C(o,void 0,i,l),l}}}if(t==="setter"){let{name:o}=e;return function(l){let p=this[o];s.call(this,l),this.requestUpdate(o,p,i,!0,l)}}throw Error("Unsupported decorator location: "+t)};function k(i){return(s,e)=>typeof e=="object"?ou(i,s,e):((t,r,n)=>{let o=r.hasOwnProperty(n);return r.constructor.createProperty(n,t),o?Object.getOwnPropertyDescriptor(r,n):void 0})(i,s,e)}function T(i){return k({...i,state:!0,attribute:!1})}var Ks=(i,s,e)=>(e.configurable=!0,e.enumerable=!0,Reflect.decorate&&typeof s!="object"&&Object.defineProperty(i,s,e),e);function ar(i,s){return(e,t,r)=>{let n=o=>o.renderRoot?.querySelector(i)??null;if(s){let{get:o,set:l}=typeof t=="object"?e:r??(()=>{let p=Symbol();return{get(){return this[p]},set(u){this[p]=u}}})();return Ks(e,t,{get(){let p=o.call(this);return p===void 0&&(p=n(this),(p!==null||this.hasUpdated)&&l.call(this,p)),p}})}return Ks(e,t,{get(){return n(this)}})}}var Tt=class extends Error{constructor(e,t){super(e);this.status=t}},au=503,dl=1e3,lu=6e4,cu="The studio does not answer. Is the command boardgym studio still running?",yo=class extends EventTarget{constructor(){super(...arguments);this.isLost=!1;this.isAsking=!1}set(e){e!==this.isLost&&(this.isLost=e,this.dispatchEvent(new Event("change"))),e&&!this.isAsking&&this.ask()}async ask(){for(this.isAsking=!0;this.isLost;)await ul(dl),await fetch("/api/ready").then(async t=>(await t.json()).ready,()=>!1)&&this.set(!1);this.isAsking=!1}},ts=new yo,ul=i=>new Promise(s=>setTimeout(s,i));async function pu(i,s,e){for(;;){let t;try{t=await fetch(`/api${s}`,{method:i,headers:e===void 0?{}:{"Content-Type":"application/json"},body:e===void 0?void 0:JSON.stringify(e)})}catch{throw ts.set(!0),new Tt(cu,0)}if(t.status!==au)return ts.set(!1),t;await ul(150)}}async function du(i){if(i.ok)return i;let s=await i.json().catch(()=>null);throw new Tt(s?.error??`The studio answered ${i.status}.`,i.status)}async function lr(i,s,e){let t=await du(await pu(i,s,e));return t.status===204?void 0:await t.json()}var Xe=i=>lr("GET",i),ot=(i,s={})=>lr("POST",i,s),Ur=i=>lr("DELETE",i),re=i=>i instanceof Error?i.message:String(i);function _i(i,s,e){let t,r=0,n=()=>{clearTimeout(r),!(t&&t.readyState!==EventSource.CLOSED)&&(t=new EventSource(`/api${i}`),t.onmessage=p=>s(JSON.parse(p.data)),t.onopen=()=>{ts.set(!1),e?.(!1)},t.onerror=()=>{e?.(!0),t?.readyState===EventSource.CLOSED&&(r=setTimeout(n,dl)),fetch("/api/ready").catch(()=>ts.set(!0))})},o=()=>{clearTimeout(r),t?.close()},l=()=>{if(!document.hidden)return n();clearTimeout(r),r=setTimeout(o,lu)};return document.addEventListener("visibilitychange",l),n(),()=>{document.removeEventListener("visibilitychange",l),o()}}var qr=["system","light","dark"],uu={system:"light dark",light:"light",dark:"dark"},wo="boardgym-theme",$o="boardgym-colour-blind";function hl(i){try{return localStorage.getItem(i)}catch{return null}}function ml(i,s){try{localStorage.setItem(i,s)}catch{}}var xo=class extends EventTarget{constructor(){super();this.theme=qr.find(e=>e===hl(wo))??"system";this.isColourBlind=hl($o)==="yes";this.show(),addEventListener("storage",e=>this.follow(e))}setTheme(e){this.theme=e,ml(wo,e),this.show()}setColourBlind(e){this.isColourBlind=e,ml($o,e?"yes":"no"),this.show()}follow(e){e.key===wo&&(this.theme=qr.find(t=>t===e.newValue)??"system"),e.key===$o&&(this.isColourBlind=e.newValue==="yes"),this.show()}show(){document.documentElement.style.colorScheme=uu[this.theme],this.dispatchEvent(new Event("change"))}},Ht=new xo,Mt=class{constructor(s){this.host=s;this.changed=()=>this.host.requestUpdate();s.addController(this)}get palette(){return Ht.isColourBlind?"colour-blind":""}hostConnected(){Ht.addEventListener("change",this.changed)}hostDisconnected(){Ht.removeEventListener("change",this.changed)}};var zr=(i,s)=>i.length>=s.length&&s.every((e,t)=>i[t]===e),cr=(i,s)=>i.filter(({clicks:e})=>e.some(t=>zr(t,s))),fl=(i,s)=>i.filter(({clicks:e})=>e.some(t=>t.length===s.length&&zr(t,s)));function pr(i,s){let e=new Set;for(let{clicks:t}of i)for(let r of t)r.length>s.length&&zr(r,s)&&e.add(r[s.length]);return e}function Wr(i,s){let e=new Set;for(let{clicks:t}of i)for(let r of t)r.length===s.length+1&&zr(r,s)&&e.add(r[s.length]);return e}function Pi(i,s,e){let t=[...s,e],r=cr(i,t);if(r.length===0)return hu(i,s,e);let n=fl(i,t);return n.length===0?{kind:"chosen",places:t}:n.length===1&&r.length===1?{kind:"play",action:n[0].action}:{kind:"ask",places:t,actions:n}}function hu(i,s,e){if(s.length>0&&s.at(-1)===e){let t=fl(i,s);return t.length===1?{kind:"play",action:t[0].action}:{kind:"chosen",places:[]}}return s.length>0&&cr(i,[e]).length>0?Pi(i,[],e):{kind:"refused",places:[...s,e]}}function gl(i,s,e,t){if(s.at(-1)===e&&cr(i,[...s,t]).length>0)return Pi(i,s,t);let r=Pi(i,s.includes(e)?[]:s,e);return r.kind==="chosen"||r.kind==="ask"?Pi(i,r.places,t):r}var vl=i=>i.filter(({clicks:s})=>s.length===0);function bl(i,s){let e=n=>n.toLowerCase().replace(/\s+/g,""),t=i.filter(({move:n})=>n===s.trim()),r=t.length>0?t:i.filter(({move:n})=>e(n)===e(s));return r.length===1?r[0]:null}var yl=(i,s)=>({size:i.size,flipped:s});function Ye({size:i,flipped:s},e,t){return s?[i[0]-e,i[1]-t]:[e,t]}function Kr(i,s){let e=[];for(let t=0;t+1<s.length;t+=2)e.push(Ye(i,s[t],s[t+1]).join(","));return e.join(" ")}function Yr(i,s,e,t,r){return i.flipped?Ye(i,s+t,e+r):[s,e]}function ko([i,s],[e,t]){let r=Math.hypot(e-i,t-s)||1;return[(e-i)/r,(t-s)/r]}var mu=20;function wl(i,s){let e=i.map(({middle:r},n)=>({place:n,at:Ye(s,...r)}));e.sort((r,n)=>r.at[1]-n.at[1]);let t=[];for(let r of e){let n=t.at(-1);n&&r.at[1]-n[0].at[1]<=mu?n.push(r):t.push([r])}return t.map(r=>r.sort((n,o)=>n.at[0]-o.at[0]).map(({place:n})=>n))}var fu=["ArrowUp","ArrowRight","ArrowDown","ArrowLeft"];function $l(i,s,e,t,r){let n=fu.indexOf(t);if(n>=0)return i.places[e].neighbours[(r?n+2:n)%4];let o=s.find(l=>l.includes(e));if(t==="Home")return o?.[0];if(t==="End")return o?.at(-1)}function gu(i){let s=i.places.map(()=>[]);return i.place_of_spot.forEach((e,t)=>{e>=0&&s[e]?.push(t)}),s}var vu={hole:"disc",label:""};function bu(i,s){let e=i.filter(p=>p!==null),t=e[0];if(!t)return"empty";let r=vu[t.kind]??t.kind;if(t.kind==="card"||t.kind==="die"||t.kind==="label")return e.map(({label:p})=>`${r} ${p}`.trim()).join(", ")||r;let n=e.map(({label:p})=>Number(p)).filter(p=>p>0),o=Math.max(e.length,...n),l=s[t.colour]??"";return o>1?`${o} ${l} ${r}s`:`${l} ${r}`.trim()}function xl(i,s,e,t){let r=t?pr(s.actions,e):new Set,n=Wr(s.actions,e),o=gu(i);return i.places.map(({name:l},p)=>{let u=[l,bu(o[p].map(b=>s.pieces[b]??null),i.seats)];return e.includes(p)&&u.push("chosen"),r.has(p)&&u.push(n.has(p)?"legal move":"can move"),o[p].some(b=>s.moved.includes(b))&&u.push("last move"),o[p].some(b=>s.winning.includes(b))&&u.push("winning"),u.join(", ")})}var Jr=class{constructor(s,e){this.root=s;this.listener=e;this.from=-1;this.start=[0,0];this.isDrag=!1;this.down=s=>{!s.isPrimary||s.button!==0||(this.from=kl(s.target),this.start=[s.clientX,s.clientY],this.isDrag=!1)};this.move=s=>{if(this.from<0||!s.isPrimary)return;if(s.buttons===0)return this.cancel();let e=s.currentTarget;if(!this.isDrag){if(!(Math.hypot(s.clientX-this.start[0],s.clientY-this.start[1])>6)||!this.listener.piece(this.from))return;this.isDrag=!0,e.setPointerCapture(s.pointerId)}this.listener.shown(this.from,this.under(s)),this.follow(e,s)};this.up=s=>{let{from:e,isDrag:t}=this;this.cancel();let r=this.under(s);e<0||r<0||(e===r?this.listener.clicked(r):t&&this.listener.dragged(e,r))};this.cancel=()=>{this.isDrag&&this.listener.shown(-1,-1),this.from=-1,this.isDrag=!1}}under(s){return kl(this.root().elementFromPoint(s.clientX,s.clientY))}follow(s,e){let t=s.getScreenCTM();if(!t)return;let{x:r,y:n}=new DOMPoint(e.clientX,e.clientY).matrixTransform(t.inverse());s.querySelector(".ghost")?.setAttribute("transform",`translate(${r} ${n})`)}};function kl(i){let s=i instanceof Element?i.closest("[data-place]"):null;return s?Number(s.getAttribute("data-place")):-1}var Sl=j`
  :host { display: block; position: relative; max-width: 100%; --hint: var(--boardgym-hint, #7a3ff2); }
  :host([hidden]) { display: none; }
  .frame { position: relative; }
  .board { display: block; max-width: 100%; height: auto; max-height: var(--boardgym-board-height, 80vh); font: 600 16px system-ui, sans-serif;
    user-select: none; -webkit-user-select: none; touch-action: manipulation; -webkit-tap-highlight-color: transparent; }
  .drags { touch-action: none; }
  text { font-variant-numeric: tabular-nums; }
  .label { font-weight: 500; }
  .under, .over { pointer-events: none; }
  .mark { fill: none; stroke-width: 7.5; stroke-linecap: round; stroke-linejoin: round; }
  .edge { stroke: #000; stroke-opacity: 0.35; stroke-width: 2; }
  .groove { fill: none; stroke: #808080; stroke-opacity: 0.28; stroke-width: 2.5; }
  .face { stroke: #3c3f45; stroke-width: 1.5; }
  .face:not([fill]) { fill: #fdfcf8; }
  .back { fill: none; stroke: #fff; stroke-opacity: 0.7; stroke-width: 2; }
  .can { fill: none; stroke: var(--hint); stroke-width: 2.5; stroke-opacity: 0.55; }
  .lifted { opacity: 0.3; }
  .cell { outline: none; }
  .area { fill: transparent; stroke: none; }
  .acts .cell { cursor: pointer; }
  .acts .cell.next:hover .area { fill: var(--hint); fill-opacity: 0.16; }
  .cell.chosen .area { fill: var(--hint); fill-opacity: 0.3; }
  .cell.aimed .area { fill: var(--hint); fill-opacity: 0.3; }
  .cell:focus-visible .area { stroke: var(--hint); stroke-width: 4; stroke-opacity: 1; }
  .line { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3em 0.9em; min-height: 2.2em; padding: 0.4em 0 0; }
  .status { display: flex; align-items: center; gap: 0.5em; font-weight: 600; margin: 0; }
  .seat { width: 0.85em; height: 0.85em; flex: none; overflow: visible; }
  .seat circle { stroke: light-dark(#0007, #fff9); stroke-width: 1.5; }
  .notes { margin: 0; color: light-dark(#5b6169, #a3aab4); display: flex; flex-wrap: wrap; gap: 0 1em; }
  .moves { display: flex; flex-wrap: wrap; gap: 0.4em; padding: 0.5em 0 0; max-height: 14em; overflow: auto; }
  button, input { font: inherit; color: inherit; border: 1px solid light-dark(#c3c7ce, #4a505a); border-radius: 6px;
    background: light-dark(#fff, #22252b); padding: 0.35em 0.75em; min-height: 2.3em; box-sizing: border-box; }
  button { cursor: pointer; }
  button:hover { border-color: var(--hint); }
  button:focus-visible, input:focus-visible { outline: 2px solid var(--hint); outline-offset: 1px; }
  .move .value { margin-left: 0.5em; font-variant-numeric: tabular-nums; color: light-dark(#5b6169, #a3aab4); }
  .typed { margin-left: auto; display: flex; }
  .typed input { width: 8.5em; }
  .chooser { position: absolute; z-index: 2; display: flex; flex-wrap: wrap; gap: 0.4em; align-items: center; max-width: 90%;
    padding: 0.5em; border-radius: 8px; background: light-dark(#fff, #2b2f36); box-shadow: 0 2px 14px #0006; }
  .said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .blank { margin: 0; padding: 2em 1em; text-align: center; overflow-wrap: anywhere; border-radius: 8px;
    background: light-dark(#f3f4f6, #22252b); font-family: ui-monospace, monospace; }
`;var yu=160,El=(i,s)=>i?.kind===s?.kind&&i?.colour===s?.colour;function wu(i,s,e){let t=i.map((o,l)=>l).filter(o=>!El(s[o]??null,e[o]??null)),r=new Set(t.filter(o=>s[o])),n=[];for(let o of t){let l=e[o]??null;if(l===null||l.kind==="die")continue;let p=b=>Math.hypot(i[b][0]-i[o][0],i[b][1]-i[o][1]),u=[...r].filter(b=>El(s[b]??null,l)).sort((b,f)=>p(b)-p(f))[0];u!==void 0&&(r.delete(u),n.push({from:u,to:o}))}return n}function _l(i,s,e,t,r){if(!matchMedia("(prefers-reduced-motion: reduce)").matches)for(let{from:n,to:o}of wu(s.spots,e.pieces,t.pieces)){let l=i.querySelector(`[data-spot="${o}"] > g`),[p,u]=Ye(r,...s.spots[n]),[b,f]=Ye(r,...s.spots[o]);l?.animate([{transform:`translate(${p-b}px, ${u-f}px)`},{transform:"none"}],{duration:yu,easing:"ease-out"})}}function Pl(i,s){i.querySelector(`[data-place="${s}"] .area`)?.animate([{fill:"#e8543f",fillOpacity:.45},{fill:"#e8543f",fillOpacity:0}],{duration:400})}function Ml(i,s,e,t){return i.shapes.filter(({kind:r})=>t||r!=="text").map(r=>$u(r,s,e))}function $u({kind:i,numbers:s,fill:e,stroke:t,width:r,text:n},o,l){let[p=0,u=0,b=0,f=0,$=0]=s,P=l.paint(e),C=l.paint(t);if(i==="rect"){let[_,U]=Yr(o,p,u,b,f);return ee`<rect x=${_} y=${U} width=${b} height=${f} rx=${$} fill=${P} stroke=${C} stroke-width=${r} />`}let[V,z]=Ye(o,p,u);if(i==="circle")return ee`<circle cx=${V} cy=${z} r=${b} fill=${P} stroke=${C} stroke-width=${r} />`;if(i==="text")return ee`<g class="label">${dr(n,V,z,b,l.ink(e))}</g>`;let J=Kr(o,s);return i==="line"?ee`<polyline points=${J} fill="none" stroke=${C} stroke-width=${r} stroke-linejoin="round" />`:ee`<polygon points=${J} fill=${P} stroke=${C} stroke-width=${r} stroke-linejoin="round" />`}var Tl=.72,xu=.62;function dr(i,s,e,t,r,n=1/0){let o=Math.min(t/Tl,n/(xu*Math.max(i.length,1))),l=e+o*Tl/2;return ee`<text x=${s} y=${l} font-size=${o} fill=${r} text-anchor="middle">${i}</text>`}var Eo="#22252a",Ti="#ffffff",Mi="var(--boardgym-mark, #e8543f)",Ai="var(--boardgym-hint, #7a3ff2)",Ll="colour-blind",Al=[["#0072b2","#e69f00","#cc79a7","#f0e442"],["#d55e00","#f0e442","#cc79a7","#e69f00"]];var ku=[192,57,43],Su=[201,204,209],Eu=[30,132,73],_u=[213,94,0],Pu=[0,114,178];function Zr(i){let s=/^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(i);return s?[parseInt(s[1],16),parseInt(s[2],16),parseInt(s[3],16)]:null}function So(i){let[s,e,t]=Zr(i)??[255,255,255];return .299*s+.587*e+.114*t}var Qr=i=>So(i)>140?Eo:Ti;function Tu(i,s){let[e,t]=[Zr(i)??[0,0,0],Zr(s)??[0,0,0]];return Math.hypot(e[0]-t[0],e[1]-t[1],e[2]-t[2])}function Mu(i){let s=Zr(i);return s!==null&&Math.max(...s)-Math.min(...s)>70}function _o(i,s){let e=s===Ll,t=i>0?e?Pu:Eu:e?_u:ku,r=Math.min(Math.abs(i),1);return"#"+Su.map((o,l)=>Math.round(o+(t[l]-o)*r)).map(o=>o.toString(16).padStart(2,"0")).join("")}var Cl=i=>`--boardgym-${i.replace(/[^a-z0-9-]/gi,"-")}`,Ss=class{constructor(s,e){this.game=s;this.name=e;this.paints=new Map;let t=s.palette.board??"";this.vivid=Al.find(r=>r.slice(0,s.seats.length).every(n=>Tu(n,t)>100))??Al[0]}colour(s){let e=this.game.palette[s]??"#808080";return this.name===Ll&&s.startsWith("piece-")&&Mu(e)&&this.isOfSeats(s)?this.vivid[Number(s.slice(6))%this.vivid.length]:CSS.supports("color",e)?e:"#808080"}paint(s){if(s==="none")return s;let e=this.paints.get(s);return e===void 0&&(e=`var(${Cl(s)}, ${this.inBothSchemes(s)})`,this.paints.set(s,e)),e}ink(s){let e=this.colour(s);return`var(${Cl(s)}, light-dark(${e}, oklch(from ${e} max(l, 0.7) c h)))`}isOfSeats(s){return Number(s.slice(6))<this.game.seats.length}inBothSchemes(s){let e=this.colour(s);return s.startsWith("piece-")||So(e)<225||!this.hasBrightPieces()?e:`light-dark(${e}, oklch(from ${e} 0.29 calc(c * 0.7) h))`}hasBrightPieces(){return Object.keys(this.game.palette).filter(e=>e.startsWith("piece-")).every(e=>So(this.colour(e))>60)}};var Xr=12,Au=3,[Cu,Lu,Ou]=[4.3,1.8,3.9],[Ol,Ru]=[14,1/44],Po=({clicks:i,spots:s},e,t,r)=>s&&s.length>0?[...new Set([s[0],s.at(-1)])].map((n,o,l)=>Mo(n,-1,e,t,r,o===l.length-1)):Rl(i[0]??[],e,t,r);function Rl(i,s,e,t){let r=i.filter(p=>p in s.places);if(r.length===0)return[];let[n,o]=[r[0],r.at(-1)],l=Ao(o,s,e,t);return n===o?[l]:[Co(n,s,e,t),l]}var Dl=(i,s)=>s.place_of_spot.flatMap((e,t)=>e===i?[t]:[]);function Du(i,s,e){let t=Dl(i,s);return t.find(r=>!e.pieces[r])??t.at(-1)??-1}function To(i,s,e){let t=Dl(i,s).filter(r=>e.pieces[r]);return t.findLast(r=>e.pieces[r]?.colour===e.to_play)??t.at(-1)??-1}var Nu=26;function Mo(i,s,e,t,r,n){let[o,l]=Ye(r,...e.spots[i]??e.places[s].middle);return[o,l+(n&&t.pieces[i]?.label?Nu:0)]}var Ao=(i,s,e,t)=>Mo(Du(i,s,e),i,s,e,t,!0),Co=(i,s,e,t)=>Mo(To(i,s,e),i,s,e,t,!1);function Lo([i,s]){return ee`<circle cx=${i} cy=${s} r="7" fill=${Ai} fill-opacity="0.85" stroke=${Ti} stroke-width="1.5" />`}function en([i,s],e,t,r){if(!i)return ee``;if(!s)return ee`<circle cx=${i[0]} cy=${i[1]} r="28" fill="none" stroke=${e} stroke-width=${t} stroke-opacity=${r} />`;let[n,o]=ko(i,s),[l,p]=[s[0]-Xr*n,s[1]-Xr*o],[u,b]=[-.6*Xr*o,.6*Xr*n],f=`M${i[0]+9*n} ${i[1]+9*o}L${l} ${p}`,$=`M${s[0]} ${s[1]}L${l+u} ${p+b}L${l-u} ${p-b}Z`;return ee`<g opacity=${r} stroke-linecap="round" stroke-linejoin="round" fill="none">
    <path d=${f+$} stroke=${Ti} stroke-width=${t+2.5} />
    <path d=${f} stroke=${e} stroke-width=${t} /><path d=${$} fill=${e} /></g>`}function Nl(i,s,e,t){return i.map(r=>{if(typeof r=="number"){let o=e.actions.find(l=>l.action===r);return en(o?Po(o,s,e,t):[],Ai,7,.85)}let n=r.colour&&CSS.supports("color",r.colour)?r.colour:Ai;return en(Rl(r.places,s,e,t),n,7,.85)})}function jl(i,s,e){let t=new Map;for(let r of s.actions){let n=Po(r,i,s,e);n.length>0&&t.set(n.join(),n)}return[...t.values()].map(r=>r.length>1?en(r,Ai,4,.7):Lo(r[0]))}var ur=i=>{let e=Math.abs(i)>1&&Number.isInteger(i)||Math.abs(i)>=10?i.toFixed(0):i.toFixed(2);return Number(e)===0?e.replace("-",""):i>0?`+${e}`:e.replace("-","−")};function ju(i,s,e,t){let r=new Map;for(let l of e.actions){let p=i[l.action],u=Po(l,s,e,t);p===void 0||!Number.isFinite(p)||u.length===0||p>(r.get(u.join())?.value??-1/0)&&r.set(u.join(),{way:u,value:p})}let n=[...r.values()].sort((l,p)=>p.value-l.value),o=n.filter(({way:l})=>l.length>1).slice(0,Au);return n.filter(l=>l.way.length===1||o.includes(l))}function Fl(i,s,e,t,r){let n=ju(i,s,e,t),o=Math.max(1,...n.map(({value:b})=>Math.abs(b))),l=Math.max(Ol,s.size[0]*Ru),p=n.map(({way:b})=>b.at(-1).join()),u=[];for(let{way:b,value:f}of n.toReversed())b.length>1&&u.push(en(b,_o(f/o,r),7,1));for(let{way:b,value:f}of n.toReversed()){let[$,P]=b.at(-1),C=l;b.length>1&&p.filter(z=>z===b[1].join()).length>1&&(C=.8*l,[$,P]=[.35*b[0][0]+.65*$,.35*b[0][1]+.65*P]);let V=f===n[0].value;u.push(Fu(ur(f),$,P,C,_o(f/o,r),V))}return u}function Fu(i,s,e,t,r,n){let[o,l]=[Cu*t,Lu*t];return ee`<g class="tag"><rect x=${s-o/2} y=${e-l/2} width=${o} height=${l} rx="3" fill=${r}
    stroke=${n?Ai:Ti} stroke-width=${n?5*t/Ol:1.5} />
    ${dr(i,s,e,t,Qr(r),Ou*t)}</g>`}function Vl(i,s,e){return s.lines.map(([t,r])=>{let[n,o]=[Ye(e,...i.spots[t]),Ye(e,...i.spots[r])],[l,p]=ko(n,o),u=`M${n[0]-22*l} ${n[1]-22*p}L${o[0]+22*l} ${o[1]+22*p}`;return ee`<g fill="none" stroke-linecap="round"><path d=${u} stroke=${Ti} stroke-width="12" />
      <path d=${u} stroke=${Eo} stroke-width="7" /></g>`})}var Vu={1:"e",2:"ai",3:"aei",4:"acgi",5:"acegi",6:"acdfgi"};function hr(i,s){let e=`piece-${i.colour}`,t=s.paint(e),r=Qr(s.colour(e)),n=(o,l,p)=>i.label?dr(i.label,0,0,o,p,l):y;switch(i.kind){case"cross":return ee`<path d="M-15 -15L15 15M15 -15L-15 15" class="mark" stroke=${t} />${n(20,36,t)}`;case"ring":return ee`<circle r="17" class="mark" stroke=${t} />${n(20,36,t)}`;case"square":return ee`<rect x="-15" y="-15" width="30" height="30" class="mark" stroke=${t} />${n(20,36,t)}`;case"label":return ee`${n(22,56,t)}`;case"die":return ee`<rect x="-19" y="-19" width="38" height="38" rx="6" fill=${t} class="edge" />${Hu(i.label,r)}`;case"card":return i.label?ee`<rect x="-22" y="-32" width="44" height="64" rx="6" class="face" />${n(24,29,t)}`:ee`<rect x="-22" y="-32" width="44" height="64" rx="6" class="face" fill=${t} />
            <rect x="-16" y="-26" width="32" height="52" rx="3" class="back" />`;default:return ee`<circle r=${i.kind==="hole"?25:26} fill=${t} class="edge" />
        <circle r="17.5" class="groove" />${n(20,36,r)}`}}function Hu(i,s){return[...Vu[i]??""].map(e=>{let t=e.charCodeAt(0)-97;return ee`<circle cx=${11*(t%3-1)} cy=${11*(Math.floor(t/3)-1)} r="3.7" fill=${s} />`})}var Hl=i=>i.kind==="disc"||i.kind==="hole";function Gl(i,[s,e]){return i===null?ee`<circle cx=${s} cy=${e} r="15" fill="none" stroke=${Mi} stroke-opacity="0.75" stroke-width="3" />`:Hl(i)||i.kind==="card"?y:ee`<rect x=${s-27} y=${e-27} width="54" height="54" rx="6" fill=${Mi} fill-opacity="0.16" />`}function Bl(i,[s,e]){return i===null?y:i.kind==="card"?ee`<rect x=${s-23.5} y=${e-33.5} width="47" height="67" rx="7.5" fill="none" stroke=${Mi} stroke-width="3.5" />`:Hl(i)?i.label?ee`<circle cx=${s} cy=${e} r="27" fill="none" stroke=${Mi} stroke-width="3.5" />`:ee`<circle cx=${s} cy=${e} r="6.5" fill=${Mi} stroke="#ffffff" stroke-width="2" />`:y}function Il({game:i,state:s,frame:e,palette:t,labels:r,lifted:n}){let o=i.spots.map(([u,b])=>Ye(e,u,b)),l=s.moved.map(u=>({piece:s.pieces[u]??null,at:o[u]})),p=s.pieces.map((u,b)=>{let[f,$]=o[b];return u===null?y:ee`<g data-spot=${b} class=${b===n?"lifted":""} transform="translate(${f} ${$})"><g>${hr(u,t)}</g></g>`});return ee`<g class="under" aria-hidden="true">
    ${Ml(i,e,t,r)} ${l.map(u=>Gl(u.piece,u.at))}
    ${p} ${Vl(i,s,e)} ${l.map(u=>Bl(u.piece,u.at))}
  </g>`}function Ul({game:i,state:s,frame:e,rows:t,interactive:r,chosen:n,focused:o,aimed:l}){let p=xl(i,s,n,r),u=r?pr(s.actions,n):new Set,b=f=>{let $=n.includes(f),P=["cell",u.has(f)&&"next",$&&"chosen",f===l&&"aimed"].filter(Boolean).join(" ");return ee`<g role="gridcell" class=${P} data-place=${f} aria-label=${p[f]} aria-selected=${$}
      tabindex=${f===o?0:-1}>${Gu(i.places[f],e)}</g>`};return t.map(f=>ee`<g role="row">${f.map(b)}</g>`)}function Gu({area:{kind:i,numbers:s}},e){let[t=0,r=0,n=0,o=0]=s;if(i==="polygon")return ee`<polygon class="area" points=${Kr(e,s)} />`;if(i==="circle"){let[u,b]=Ye(e,t,r);return ee`<circle class="area" cx=${u} cy=${b} r=${n} />`}let[l,p]=Yr(e,t,r,n,o);return ee`<rect class="area" x=${l} y=${p} width=${n} height=${o} rx="4" />`}function ql(i){let{game:s,state:e,frame:t,palette:r,arrows:n,values:o,lifted:l}=i,p=e.pieces[l]??null;return ee`<g class="over" aria-hidden="true">
    ${Bu(i)} ${Nl(n,s,e,t)} ${Fl(o,s,e,t,r.name)}
    <g class="ghost">${p?hr(p,r):y}</g>
  </g>`}function Bu({game:i,state:s,frame:e,interactive:t,chosen:r,showLegal:n,values:o}){if(!n||Object.keys(o).length>0&&r.length===0)return[];if(!t)return jl(i,s,e);let l=Wr(s.actions,r);return[...pr(s.actions,r)].map(p=>{if(l.has(p))return Lo(Ao(p,i,s,e));let[u,b]=Co(p,i,s,e);return ee`<circle class="can" cx=${u} cy=${b} r="29" />`})}function zl(i,s){if(i.fen===s.fen&&i.ply===s.ply&&i.status===s.status)return null;let e=s.ply>i.ply?s.moves.slice(-(s.ply-i.ply)):[];return[e.length>0&&e.length<5?e.join(", "):s.last_move??"",s.status].filter(Boolean).join("; ")}function Iu({outcome:i,to_play:s}){if(!i)return s??-1;let e=Math.max(...i.returns),t=i.returns.flatMap((r,n)=>r===e?[n]:[]);return t.length===1?t[0]:-1}function Wl(i,s,e){let t=`piece-${Iu(s)}`,r=ee`<circle cx="8" cy="8" r="7" fill=${e.paint(t)} />`;return d`<p class="status" part="status">
    ${t in i.palette?d`<svg class="seat" viewBox="0 0 16 16" aria-hidden="true">${r}</svg>`:y}
    <span>${s.status}</span>
  </p>`}var Uu=2,qu=2,Oe=class extends F{constructor(){super(...arguments);this.interactive=!1;this.flipped=!1;this.palette="";this.values={};this.arrows=[];this.showLegal=!0;this.labels=!0;this.typing=!0;this.chosen=[];this.asked=[];this.focused=0;this.lifted=-1;this.aimed=-1;this.said="";this.isPressed=!1;this.isExplored=!1;this.rows=[];this.dragging=new Jr(()=>this.renderRoot,{piece:e=>this.interactive&&cr(this.actions,[e]).length>0,clicked:e=>this.clickPlace(e),dragged:(e,t)=>this.follow(gl(this.actions,this.chosen,e,t)),shown:(e,t)=>{this.lifted=this.game&&this.state?To(e,this.game,this.state):-1,this.aimed=t}})}get actions(){return this.state?.actions??[]}get frame(){return yl(this.game,this.flipped)}get isDrawn(){return(this.game?.places.length??0)>0&&this.game.size[0]>0}willUpdate(e){let{game:t,state:r}=this;if(!t)return;(e.has("game")||e.has("palette"))&&(this.paints=new Ss(t,this.palette)),(e.has("game")||e.has("flipped"))&&(this.rows=wl(t.places,this.frame)),e.has("game")&&(this.focused=this.rows[0]?.[0]??0);let n=e.get("state");(e.has("state")&&(n?.fen!==r?.fen||n?.ply!==r?.ply)||e.has("interactive")||e.has("game"))&&this.clear(),r&&n&&(this.said=zl(n,r)??this.said)}updated(e){let t=e.get("state"),{game:r,state:n}=this;r&&n&&t&&!e.has("game")&&Math.abs(n.ply-t.ply)<=qu&&this.isDrawn&&_l(this.renderRoot,r,t,n,this.frame),this.chooser&&this.putChooser(this.chooser)}render(){let{game:e,state:t,paints:r}=this;if(!e||!t||!r)return y;let n=this.isDrawn?this.interactive?vl(t.actions):[]:t.actions;return d`
      <div class="frame">
        ${this.isDrawn?d`<div @keydown=${this.onKey} @focusin=${this.onFocus}>${this.renderDrawing(e,t,r)}</div>`:d`<p class="blank">${t.fen}</p>`}
        ${this.asked.length>0?this.renderChooser():y}
      </div>
      <div class="line">${Wl(e,t,r)} ${this.renderField()}</div>
      ${t.notes.length>0?d`<p class="notes" part="notes">${t.notes.map(o=>d`<span>${o}</span>`)}</p>`:y}
      ${n.length>0?d`<div class="moves" part="moves" role="group" aria-label="Moves">${n.map(o=>this.renderMove(o))}</div>`:y}
      <div class="said" role="status" aria-live="polite">${this.said}</div>
    `}renderDrawing(e,t,r){let n={...this.shown(),game:e,state:t,palette:r,frame:this.frame,rows:this.rows},o=this.interactive&&t.actions.some(({clicks:l})=>l.some(p=>p.length>1));return d`<svg
      viewBox="0 0 ${e.size[0]} ${e.size[1]}"
      width=${Uu*e.size[0]}
      role="grid"
      aria-label="${e.title}: ${t.status}"
      class="board ${this.interactive&&t.actions.length>0?"acts":""} ${o?"drags":""}"
      @pointerdown=${this.onPress}
      @pointermove=${this.dragging.move}
      @pointerup=${this.dragging.up}
      @pointercancel=${this.dragging.cancel}
      @click=${this.onClick}
    >
      ${Il(n)} ${Ul(n)} ${ql(n)}
    </svg>`}shown(){let{interactive:e,chosen:t,focused:r,lifted:n,aimed:o,values:l,arrows:p,showLegal:u,labels:b}=this;return{interactive:e,chosen:t,focused:r,lifted:n,aimed:o,values:l,arrows:p,showLegal:u,labels:b}}renderMove(e){let t=this.values[e.action],r=t===void 0?y:d`<span class="value">${ur(t)}</span>`;return d`<button class="move" ?disabled=${!this.interactive} @click=${()=>this.play(e.action)}>${e.move}${r}</button>`}renderField(){let e=this.field!=null&&this.renderRoot.activeElement===this.field;return!this.typing||!(e||this.interactive&&this.actions.length>0)?y:d`<form class="typed" part="typed" @submit=${this.onTyped}>
      <input aria-label="Type a move, then Enter" placeholder="type a move" autocomplete="off" autocapitalize="off"
        ?readonly=${!this.interactive} spellcheck="false" maxlength="60" enterkeyhint="go" @keydown=${this.onFieldKey} />
    </form>`}renderChooser(){return d`<div class="chooser" role="group" aria-label="Which move?" @keydown=${this.onChooserKey}>
      ${this.asked.map(e=>this.renderMove(e))}
      <button class="cancel" aria-label="None of these" @click=${()=>this.clear()}>✕</button>
    </div>`}putChooser(e){let[t,r]=this.game.size,[n,o]=Ye(this.frame,...this.game.places[this.chosen.at(-1)].middle),l=o>r*.6;Object.assign(e.style,{left:`clamp(0px, calc(${100*n/t}% - ${e.offsetWidth/2}px), calc(100% - ${e.offsetWidth}px))`,top:l?"auto":`${100*(o+36)/r}%`,bottom:l?`${100*(r-o+36)/r}%`:"auto"})}clickPlace(e){this.interactive?this.follow(Pi(this.actions,this.chosen,e)):this.tell("pick",{places:[e]})}follow(e){if(e.kind==="play")return this.play(e.action);if(e.kind==="refused")return this.refuse(e.places,"");let t=n=>this.game.places[n].name,r=this.asked.length>0;this.chosen=e.places,this.asked=e.kind==="ask"?e.actions:[],this.said=e.places.length>0?`${e.places.map(t).join(" ")} chosen`:"nothing chosen",!r&&this.asked.length>0&&this.updateComplete.then(()=>this.chooser?.querySelector("button")?.focus())}play(e){let{isExplored:t}=this;this.renderRoot.activeElement?.matches(".move")&&this.cell(this.focused)?.focus(),this.isExplored=t,this.clear(),this.tell("play",{action:e})}refuse(e,t){this.clear(),this.said=t?`${t} is no legal move here`:`no legal move: ${e.map(n=>this.game.places[n].name).join(" ")}`;let r=e.at(-1);r!==void 0&&Pl(this.renderRoot,r),this.tell("refused",{places:e,text:t})}clear(){this.chosen=[],this.asked=[]}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}cell(e){return this.renderRoot.querySelector(`[data-place="${e}"]`)}onClick(e){let t=e.target.closest("[data-place]")?.getAttribute("data-place");e.detail===0&&t&&this.clickPlace(Number(t))}onPress(e){this.isPressed=!0,addEventListener("pointerup",()=>this.isPressed=!1,{once:!0}),this.dragging.down(e)}onFocus(e){this.isExplored=!this.isPressed;let t=e.target.getAttribute("data-place");t&&(this.focused=Number(t))}onKey(e){if(e.ctrlKey||e.metaKey||e.altKey||!this.game||!this.interactive&&!this.isExplored)return;let t=this.isExplored?$l(this.game,this.rows,this.focused,e.key,this.flipped):void 0;if(t!==void 0)t>=0&&this.cell(t)?.focus();else if(e.key==="Enter"||e.key===" ")this.clickPlace(this.focused);else if(e.key==="Escape"&&this.chosen.length>0)this.follow({kind:"chosen",places:[]});else{e.key.length===1&&this.field?.focus();return}e.preventDefault(),e.stopPropagation()}onChooserKey(e){if(e.key!=="Escape")return;let t=this.chosen.at(-1);this.clear(),t!==void 0&&this.cell(t)?.focus(),e.stopPropagation()}onFieldKey(e){e.key==="Escape"&&(this.field.value="",this.cell(this.focused)?.focus()),e.stopPropagation()}onTyped(e){e.preventDefault();let t=this.field.value.trim();if(!t||!this.interactive)return;let r=bl(this.actions,t);this.field.value="",r?this.play(r.action):this.refuse([],t)}};Oe.styles=Sl,v([k({attribute:!1})],Oe.prototype,"game",2),v([k({attribute:!1})],Oe.prototype,"state",2),v([k({type:Boolean,reflect:!0})],Oe.prototype,"interactive",2),v([k({type:Boolean,reflect:!0})],Oe.prototype,"flipped",2),v([k({reflect:!0})],Oe.prototype,"palette",2),v([k({attribute:!1})],Oe.prototype,"values",2),v([k({attribute:!1})],Oe.prototype,"arrows",2),v([k({attribute:!1})],Oe.prototype,"showLegal",2),v([k({attribute:!1})],Oe.prototype,"labels",2),v([k({attribute:!1})],Oe.prototype,"typing",2),v([T()],Oe.prototype,"chosen",2),v([T()],Oe.prototype,"asked",2),v([T()],Oe.prototype,"focused",2),v([T()],Oe.prototype,"lifted",2),v([T()],Oe.prototype,"aimed",2),v([T()],Oe.prototype,"said",2),v([ar("input")],Oe.prototype,"field",2),v([ar(".chooser")],Oe.prototype,"chooser",2),Oe=v([I("boardgym-board")],Oe);var zu=i=>Object.entries(i).map(([s,e])=>`options=${encodeURIComponent(`${s}=${e}`)}`).join("&"),tn=()=>Xe("/games"),Kl=(i,s)=>Xe(`/games/${encodeURIComponent(i)}?${zu(s)}`),Yl=()=>Xe("/plays"),sn=i=>ot("/plays",i),Jl=i=>ot("/positions/check",i),Zl=i=>ot("/positions",i),ps=i=>i?.kind==="human";function rn(i,s){let e=i.seats[s];return ps(e)?i.seats.filter(ps).length===1?"You":"A person":e?.spec??""}async function Ql(){try{let{bots:i}=await Xe("/bots");return i.filter(({has_agent:s})=>s).map(({id:s,name:e,game:t})=>({id:String(s),name:e,game:t}))}catch(i){if(i instanceof Tt&&i.status===404)return[];throw i}}async function Xl(i){return(await ot(`/bots/${encodeURIComponent(i)}/snapshot`)).spec}var Wu=i=>i.places.length===i.spots.length&&i.place_of_spot.every((s,e)=>s===e);function ec(i){if(Wu(i))return i;let s=i.spots.map((e,t)=>({name:`${i.places[i.place_of_spot[t]??-1]?.name??""} spot ${t+1}`.trim(),area:{kind:"circle",numbers:[...e,28]},middle:e,neighbours:[nn(i,t,0,-1),nn(i,t,1,0),nn(i,t,0,1),nn(i,t,-1,0)]}));return{...i,places:s,place_of_spot:i.spots.map((e,t)=>t)}}function nn(i,s,e,t){let[r,n]=i.spots[s]??[0,0],o=-1,l=1/0;for(let[p,[u,b]]of i.spots.entries()){let f=(u-r)*e+(b-n)*t,$=Math.abs((u-r)*t-(b-n)*e);f>0&&$<=f&&f+2*$<l&&([o,l]=[p,f+2*$])}return o}var K=j`
  :host {
    --page: light-dark(#ffffff, #16181c);
    --surface: light-dark(#f3f4f6, #22252b);
    --raised: light-dark(#ffffff, #2b2f36);
    --edge: light-dark(#d4d7dc, #3a3f47);
    --field-edge: light-dark(#868c95, #767d88);
    --text: light-dark(#22252a, #e8eaed);
    --quiet: light-dark(#5b6169, #a3aab4);
    --accent: light-dark(#6a2fe0, #b79bff);
    --on-accent: light-dark(#ffffff, #1b1233);
    --tint: light-dark(#efe8fd, #332a4d);
    --bad: light-dark(#b3261e, #ff9b93);
    --bad-tint: light-dark(#fdecea, #43211f);
    --good: light-dark(#1b7340, #7fd8a0);
    --radius: 8px;
    color: var(--text);
    font: 15px/1.45 system-ui, sans-serif;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
`,Y=j`
  h1,
  h2,
  h3 {
    line-height: 1.2;
    margin: 0 0 0.5rem;
    text-wrap: balance;
  }
  h1 {
    font-size: 1.5rem;
  }
  h2 {
    font-size: 1.1rem;
  }
  h3 {
    font-size: 1rem;
  }
  h1:focus {
    outline: none;
  }
  p {
    margin: 0 0 0.6rem;
  }
  a {
    color: var(--accent);
  }
  button,
  .button,
  input,
  select,
  textarea {
    font: inherit;
    color: var(--text);
    border: 1px solid var(--field-edge);
    border-radius: var(--radius);
    background: var(--raised);
    min-height: 2.4rem;
    padding: 0.3rem 0.7rem;
    max-width: 100%;
  }
  button,
  .button {
    border-color: var(--edge);
    cursor: pointer;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4rem;
    text-decoration: none;
    white-space: nowrap;
  }
  button:hover:not(:disabled),
  .button:hover {
    border-color: var(--accent);
  }
  button:disabled {
    color: var(--quiet);
    cursor: not-allowed;
    opacity: 0.6;
  }
  button.primary,
  .button.primary {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  button[aria-pressed="true"] {
    background: var(--tint);
    border-color: var(--accent);
  }
  button.plain {
    background: none;
    border-color: transparent;
  }
  input[type="checkbox"],
  input[type="radio"] {
    min-height: 0;
    width: 1.1rem;
    height: 1.1rem;
    accent-color: var(--accent);
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  label,
  .label {
    display: block;
    font-weight: 600;
    font-size: 0.9rem;
    margin-bottom: 0.2rem;
  }
  .field {
    margin-bottom: 0.8rem;
    min-width: 0;
  }
  .field input:not([type="checkbox"], [type="radio"]),
  .field select,
  .field textarea {
    width: 100%;
  }
  .help,
  .quiet {
    color: var(--quiet);
    font-size: 0.87rem;
  }
  .error {
    color: var(--bad);
    background: var(--bad-tint);
    border-radius: var(--radius);
    padding: 0.5rem 0.75rem;
    margin: 0 0 0.8rem;
    overflow-wrap: anywhere;
  }
  .card {
    background: var(--surface);
    border-radius: 12px;
    padding: 1rem;
    min-width: 0;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
  }
  code,
  .mono {
    font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace;
    font-size: 0.87em;
    overflow-wrap: anywhere;
  }
  details > summary {
    cursor: pointer;
    padding: 0.25rem 0;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: no-preference) {
    button,
    .button {
      transition:
        border-color 0.12s,
        background 0.12s;
    }
  }
`;var dt=class extends F{constructor(){super(...arguments);this.options={};this.gameId="";this.kinds=[];this.brush=1;this.seat=0;this.message="";this.fen="";this.preferences=new Mt(this);this.asked=0}willUpdate(e){!e.has("game")||e.get("game")===this.game||(this.shown=ec(this.game),this.kinds=this.start.pieces.map(t=>this.kindOf(t)),this.brush=1,this.seat=Math.max(0,this.start.to_play??0),this.check())}kindOf(e){return e?1+(this.game.brush??[]).findIndex(t=>Ku(t,e)):0}paint(e){let t=this.kinds[e]===this.brush?0:this.brush;this.kinds=this.kinds.map((r,n)=>n===e?t:r),this.check()}clear(){this.kinds=this.kinds.map(()=>0),this.check()}async check(){let e=++this.asked;this.tell("");let t="",r="";try{({fen:t}=await Zl({game:this.gameId,options:this.options,pieces:this.kinds,seat:this.seat}))}catch(n){r=re(n)}e!==this.asked||!this.isConnected||(this.message=r,this.tell(t))}tell(e){this.fen=e,this.dispatchEvent(new CustomEvent("fen",{detail:e}))}get board(){let e=this.game.brush??[],t=this.kinds.map(n=>e[n-1]??null),r=this.game.seats[this.seat]??"";return{...this.start,fen:this.fen,pieces:t,moved:[],winning:[],lines:[],notes:[],actions:[],status:`${r} to play`}}render(){return d`
      <div class="row tools" role="group" aria-label="Piece to put on the board">
        ${(this.game.brush??[]).map((e,t)=>this.renderBrush(e,t+1))}
        <button type="button" aria-pressed=${this.brush===0} @click=${()=>this.brush=0}>Empty</button>
        <button type="button" @click=${()=>this.clear()}>Clear the board</button>
      </div>
      <div class="row tools">
        <label class="inline" for="seat-to-play">To play</label>
        <select
          id="seat-to-play"
          @change=${e=>{this.seat=e.target.selectedIndex,this.check()}}
        >
          ${this.game.seats.map((e,t)=>d`<option .selected=${t===this.seat}>${e}</option>`)}
        </select>
      </div>
      <div role="status">
        ${this.message?d`<p class="error">${this.message}</p>`:y}
        ${this.fen?d`<p class="ok">This position can be played.</p>`:y}
      </div>
      <boardgym-board
        palette=${this.preferences.palette}
        .game=${this.shown}
        .state=${this.board}
        .interactive=${!1}
        .showLegal=${!1}
        @pick=${e=>this.paint(e.detail.places[0]??-1)}
      ></boardgym-board>
    `}renderBrush(e,t){let r=new Ss(this.game,this.preferences.palette);return d`<button type="button" aria-pressed=${this.brush===t} @click=${()=>this.brush=t}>
      <svg class="swatch" viewBox="-34 -34 68 68" aria-hidden="true">${hr(e,r)}</svg>
      ${this.nameOf(e)}
    </button>`}nameOf(e){let t=this.game.seats[e.colour]??`piece ${e.colour+1}`;return e.label?`${t} ${e.label}`:t}};dt.styles=[K,Y,j`
      :host {
        display: block;
      }
      boardgym-board {
        display: block;
        max-width: 30rem;
        margin: 0 auto;
      }
      .tools {
        margin-bottom: 0.6rem;
      }
      .swatch {
        width: 1.5rem;
        height: 1.5rem;
      }
      .mark {
        fill: none;
        stroke-width: 7.5;
      }
      .edge {
        stroke: #000;
        stroke-opacity: 0.35;
        stroke-width: 2;
      }
      .groove {
        fill: none;
      }
      .inline {
        margin: 0;
      }
      .ok {
        color: var(--good);
      }
    `],v([k({attribute:!1})],dt.prototype,"game",2),v([k({attribute:!1})],dt.prototype,"start",2),v([k({attribute:!1})],dt.prototype,"options",2),v([k()],dt.prototype,"gameId",2),v([T()],dt.prototype,"kinds",2),v([T()],dt.prototype,"brush",2),v([T()],dt.prototype,"seat",2),v([T()],dt.prototype,"message",2),v([T()],dt.prototype,"fen",2),dt=v([I("boardgym-play-brush")],dt);var Ku=(i,s)=>i.kind===s.kind&&i.colour===s.colour&&i.label===s.label;var Yu="ConnectFour-v0",Ju=["puct:1000","uct:1000"],Oo="bot:";function mr(i,s){return i.find(({id:t})=>t===s||t.replace(/-v\d+$/,"")===s)??(s?void 0:i.find(({id:t})=>t===Yu)??i[0])}var on=i=>Ju.find(s=>i.includes(s))??i.at(-1)??"random";function an(i){return{game:i.id,options:Object.fromEntries(Object.entries(i.options).map(([s,{value:e}])=>[s,e])),seats:i.seats.map((s,e)=>({who:e===0?"you":"policy",spec:on(i.policies)})),begin:"start",setup:i.setups.find(s=>s!=="standard")??"standard",fen:"",minutes:0,increment:0,seed:""}}function tc(i,s){let e=an(i);for(let o of s.getAll("option")){let[l="",p=""]=o.split(/=(.*)/s),u=i.options[l];u&&(e.options[l]=fr(p,u.value))}let t=s.get("seats")?.split(";");t?.length===i.seats.length&&(e.seats=t.map(o=>Zu(i,o)));let r=s.get("fen"),n=s.get("setup");return r?Object.assign(e,{begin:"fen",fen:r}):n&&Object.assign(e,{begin:"setup",setup:n}),e}function Zu(i,s){return s==="human"?{who:"you",spec:on(i.policies)}:s.startsWith(Oo)?{who:"agent",spec:s.slice(Oo.length)}:{who:"policy",spec:s}}function fr(i,s){return typeof s=="number"?Number(i):typeof s=="boolean"?i.toLowerCase()==="true":i}var sc=({who:i})=>i==="you"||i==="person";async function Qu(i){return sc(i)?{kind:"human",spec:""}:{kind:"policy",spec:i.who==="agent"?await Xl(i.spec):i.spec.trim()}}var Xu=i=>sc(i)?"human":i.who==="agent"?Oo+i.spec:i.spec.trim();function ln(i,s){return Object.fromEntries(Object.entries(s.options).filter(([e,t])=>i.options[e]?.value!==t))}async function ic(i,s){return{game:s.game,options:ln(i,s),seats:await Promise.all(s.seats.map(Qu)),...s.seed===""?{}:{seed:Number(s.seed)},...s.begin==="fen"||s.begin==="hand"?{position:s.fen.trim()}:{},...s.begin==="setup"?{setup:s.setup}:{},...s.minutes>0?{clock:{seconds:s.minutes*60,increment:s.increment}}:{}}}function rc(i,s){let e=new URLSearchParams({game:s.game.replace(/-v\d+$/,"")});for(let[t,r]of Object.entries(ln(i,s)))e.append("option",`${t}=${r}`);return s.begin==="setup"&&e.set("setup",s.setup),(s.begin==="fen"||s.begin==="hand")&&s.fen&&e.set("fen",s.fen),JSON.stringify(s.seats)!==JSON.stringify(an(i).seats)&&e.set("seats",s.seats.map(Xu).join(";")),`#/play?${e}`}var cn=(i,s,e)=>Object.entries(i.options).map(([t,r])=>eh(t,r,s[t]??r.value,e));function eh(i,{value:s,choices:e,range:t},r,n){let o=e??(typeof s=="boolean"?[!0,!1]:void 0),l=p=>n(i,fr(p.target.value,s));return d`<div class="field">
    <label for=${`option-${i}`}>${i.replaceAll("_"," ")}</label>
    ${o?d`<select id=${`option-${i}`} @change=${l}>
          ${o.map(p=>d`<option value=${String(p)} .selected=${p===r}>${th(p)}</option>`)}
        </select>`:d`<input
          id=${`option-${i}`}
          type=${typeof s=="number"?"number":"text"}
          min=${t?.[0]??y}
          max=${t?.[1]??y}
          maxlength="80"
          .value=${String(r)}
          @change=${l}
        />`}
  </div>`}var th=i=>i===!0?"yes":i===!1?"no":i===""?"none":String(i).replaceAll("_"," ");var ut=class extends F{constructor(){super(...arguments);this.entries=[];this.game="";this.options={};this.moves=[];this.fen="";this.isByHand=!1;this.byHand="";this.pasted=""}willUpdate(e){e.has("game")&&(this.isByHand=!1)}begin(e){let t={game:this.game,options:this.options,start:null,moves:[],...e};this.dispatchEvent(new CustomEvent("begin",{detail:t}))}get entry(){return this.entries.find(({id:e})=>e===this.game)}render(){return d`
      <div class="fields">
        <div class="field">
          <label for="game">Game</label>
          <select id="game" @change=${e=>this.begin({game:e.target.value,options:{}})}>
            ${this.entries.map(({id:e,title:t})=>d`<option value=${e} .selected=${e===this.game}>${t}</option>`)}
          </select>
        </div>
      </div>
      ${this.renderRules()} ${this.renderTexts()}
      <p class="row">
        <button @click=${()=>this.begin({})}>Standard start</button>
        ${this.position?.game.brush?d`<button aria-pressed=${this.isByHand} @click=${()=>this.isByHand=!this.isByHand}>Set up by hand</button>`:y}
      </p>
      ${this.isByHand&&this.position?this.renderByHand(this.position):y}
    `}renderRules(){if(!this.entry)return y;let e=cn(this.entry,this.options,(t,r)=>this.begin({options:{...this.options,[t]:r}}));return e.length===0?y:d`<details>
      <summary>Rules</summary>
      <div class="fields">${e}</div>
    </details>`}renderTexts(){return d`
      <div class="field">
        <label for="fen">Position string</label>
        <input
          id="fen"
          class="mono"
          maxlength="4000"
          autocomplete="off"
          spellcheck="false"
          .value=${this.fen}
          @change=${e=>this.begin({start:e.target.value.trim()||null})}
        />
      </div>
      <form
        class="field"
        @submit=${e=>{e.preventDefault();let t=this.pasted.replace(/\d+\.(?=\s|\D|$)/g," ").split(/\s+/).filter(Boolean);this.begin({moves:t})}}
      >
        <label for="moves">Moves of a game, from the standard start</label>
        <div class="load">
          <input
            id="moves"
            class="mono"
            maxlength="20000"
            autocomplete="off"
            spellcheck="false"
            placeholder=${this.moves.join(" ")}
            .value=${this.pasted}
            @input=${e=>this.pasted=e.target.value}
          />
          <button ?disabled=${!this.pasted.trim()}>Load</button>
        </div>
      </form>
    `}renderByHand(e){return d`
      <boardgym-play-brush
        .game=${e.game}
        .start=${e.state}
        .options=${this.options}
        .gameId=${this.game}
        @fen=${t=>this.byHand=t.detail}
      ></boardgym-play-brush>
      <p><button class="primary" ?disabled=${!this.byHand} @click=${()=>this.begin({start:this.byHand})}>Analyse this position</button></p>
    `}};ut.styles=[K,Y,j`
      :host {
        display: block;
      }
      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr));
        gap: 0 0.8rem;
        padding-top: 0.4rem;
      }
      .load {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.5rem;
      }
    `],v([k({attribute:!1})],ut.prototype,"entries",2),v([k()],ut.prototype,"game",2),v([k({attribute:!1})],ut.prototype,"options",2),v([k({attribute:!1})],ut.prototype,"moves",2),v([k()],ut.prototype,"fen",2),v([k({attribute:!1})],ut.prototype,"position",2),v([T()],ut.prototype,"isByHand",2),v([T()],ut.prototype,"byHand",2),v([T()],ut.prototype,"pasted",2),ut=v([I("boardgym-analyse-begin")],ut);var sh="−",Gt=i=>i==null?"–":ur(i);function pn({value:i,distance:s,score:e}){if(i===null)return"–";let t=i===1?"wins":i===-1?"loses":i===0?"draws":Gt(i),r=s&&i!==0?` in ${s}`:"";return`${t}${r}${e!=null&&i!==0?` (${ih(e)})`:""}`}var ih=i=>i>0?`+${i}`:i<0?`${sh}${-i}`:"0";function rh(i){return i<1e4?i.toLocaleString("en"):i<1e6?`${(i/1e3).toFixed(0)} k`:`${(i/1e6).toFixed(1)} M`}function nc(i){return[...[i.depth>0?`depth ${i.depth}`:"",i.nodes>0?`${rh(i.nodes)} nodes`:""],`${i.elapsed.toFixed(1)} s`].filter(Boolean).join(" · ")}function oc(i){let s=i.moves.every(({score:t})=>t!=null),e={};for(let{action:t,value:r,score:n}of i.moves){let o=s?n:r;o!=null&&(e[t]=o)}return e}var nh="uplot",oh="u-hz",ah="u-vt",lh="u-title",ch="u-wrap",ph="u-under",dh="u-over",uh="u-axis",Zs="u-off",hh="u-select",mh="u-cursor-x",fh="u-cursor-y",gh="u-cursor-pt",vh="u-legend",bh="u-live",yh="u-inline",wh="u-series",$h="u-marker",ac="u-label",xh="u-value",vr="width",br="height";var lc="bottom",Ci="left",Ro="right",Zo="#000",cc=Zo+"0",Do="mousemove",pc="mousedown",No="mouseup",dc="mouseenter",uc="mouseleave",hc="dblclick",kh="resize",Sh="scroll",mc="change",fn="dppxchange",Qo="--",Fi=typeof window<"u",Go=Fi?document:null,Oi=Fi?window:null,Eh=Fi?navigator:null,ve,dn;function Bo(){let i=devicePixelRatio;ve!=i&&(ve=i,dn&&Uo(mc,dn,Bo),dn=matchMedia(`(min-resolution: ${ve-.001}dppx) and (max-resolution: ${ve+.001}dppx)`),Qs(mc,dn,Bo),Oi.dispatchEvent(new CustomEvent(fn)))}function bt(i,s){if(s!=null){let e=i.classList;!e.contains(s)&&e.add(s)}}function Io(i,s){let e=i.classList;e.contains(s)&&e.remove(s)}function Te(i,s,e){i.style[s]=e+"px"}function Bt(i,s,e,t){let r=Go.createElement(i);return s!=null&&bt(r,s),e?.insertBefore(r,t),r}function At(i,s){return Bt("div",i,s)}var fc=new WeakMap;function ss(i,s,e,t,r){let n="translate("+s+"px,"+e+"px)",o=fc.get(i);n!=o&&(i.style.transform=n,fc.set(i,n),s<0||e<0||s>t||e>r?bt(i,Zs):Io(i,Zs))}var gc=new WeakMap;function vc(i,s,e){let t=s+e,r=gc.get(i);t!=r&&(gc.set(i,t),i.style.background=s,i.style.borderColor=e)}var bc=new WeakMap;function yc(i,s,e,t){let r=s+""+e,n=bc.get(i);r!=n&&(bc.set(i,r),i.style.height=e+"px",i.style.width=s+"px",i.style.marginLeft=t?-s/2+"px":0,i.style.marginTop=t?-e/2+"px":0)}var Xo={passive:!0},_h={...Xo,capture:!0};function Qs(i,s,e,t){s.addEventListener(i,e,t?_h:Xo)}function Uo(i,s,e,t){s.removeEventListener(i,e,Xo)}Fi&&Bo();function It(i,s,e,t){let r;e=e||0,t=t||s.length-1;let n=t<=2147483647;for(;t-e>1;)r=n?e+t>>1:yt((e+t)/2),s[r]<i?e=r:t=r;return i-s[e]<=s[t]-i?e:t}function Wc(i){return(e,t,r)=>{let n=-1,o=-1;for(let l=t;l<=r;l++)if(i(e[l])){n=l;break}for(let l=r;l>=t;l--)if(i(e[l])){o=l;break}return[n,o]}}var Kc=i=>i!=null,Yc=i=>i!=null&&i>0,bn=Wc(Kc),Ph=Wc(Yc);function Th(i,s,e,t=0,r=!1){let n=r?Ph:bn,o=r?Yc:Kc;[s,e]=n(i,s,e);let l=i[s],p=i[s];if(s>-1)if(t==1)l=i[s],p=i[e];else if(t==-1)l=i[e],p=i[s];else for(let u=s;u<=e;u++){let b=i[u];o(b)&&(b<l?l=b:b>p&&(p=b))}return[l??xe,p??-xe]}function yn(i,s,e,t){let r=xc(i),n=xc(s);i==s&&(r==-1?(i*=e,s/=e):(i/=e,s*=e));let o=e==10?ds:Jc,l=r==1?yt:Ct,p=n==1?Ct:yt,u=l(o(Ge(i))),b=p(o(Ge(s))),f=Ri(e,u),$=Ri(e,b);return e==10&&(u<0&&(f=ke(f,-u)),b<0&&($=ke($,-b))),t||e==2?(i=f*r,s=$*n):(i=ep(i,f),s=wn(s,$)),[i,s]}function ea(i,s,e,t){let r=yn(i,s,e,t);return i==0&&(r[0]=0),s==0&&(r[1]=0),r}var ta=.1,wc={mode:3,pad:ta},wr={pad:0,soft:null,mode:0},Mh={min:wr,max:wr};function gn(i,s,e,t){return $n(e)?$c(i,s,e):(wr.pad=e,wr.soft=t?0:null,wr.mode=t?3:0,$c(i,s,Mh))}function fe(i,s){return i??s}function Ah(i,s,e){for(s=fe(s,0),e=fe(e,i.length-1);s<=e;){if(i[s]!=null)return!0;s++}return!1}function $c(i,s,e){let t=e.min,r=e.max,n=fe(t.pad,0),o=fe(r.pad,0),l=fe(t.hard,-xe),p=fe(r.hard,xe),u=fe(t.soft,xe),b=fe(r.soft,-xe),f=fe(t.mode,0),$=fe(r.mode,0),P=s-i,C=ds(P),V=at(Ge(i),Ge(s)),z=ds(V),J=Ge(z-C);(P<1e-24||J>10)&&(P=0,(i==0||s==0)&&(P=1e-24,f==2&&u!=xe&&(n=0),$==2&&b!=-xe&&(o=0)));let _=P||V||1e3,U=ds(_),M=Ri(10,yt(U)),oe=_*(P==0?i==0?.1:1:n),N=ke(ep(i-oe,M/10),24),ae=i>=u&&(f==1||f==3&&N<=u||f==2&&N>=u)?u:xe,se=at(l,N<ae&&i>=ae?ae:Ut(ae,N)),pe=_*(P==0?s==0?.1:1:o),te=ke(wn(s+pe,M/10),24),A=s<=b&&($==1||$==3&&te>=b||$==2&&te<=b)?b:-xe,ne=Ut(p,te>A&&s<=A?A:at(A,te));return se==ne&&se==0&&(ne=100),[se,ne]}var Ch=new Intl.NumberFormat(Fi?Eh.language:"en-US"),sa=i=>Ch.format(i),wt=Math,mn=wt.PI,Ge=wt.abs,yt=wt.floor,He=wt.round,Ct=wt.ceil,Ut=wt.min,at=wt.max,Ri=wt.pow,xc=wt.sign,ds=wt.log10,Jc=wt.log2,Lh=(i,s=1)=>wt.sinh(i)*s,jo=(i,s=1)=>wt.asinh(i/s),xe=1/0;function kc(i){return(ds((i^i>>31)-(i>>31))|0)+1}function qo(i,s,e){return Ut(at(i,s),e)}function Zc(i){return typeof i=="function"}function de(i){return Zc(i)?i:()=>i}var Oh=()=>{},Qc=i=>i,Xc=(i,s)=>s,Rh=i=>null,Sc=i=>!0,Ec=(i,s)=>i==s,Dh=/\.\d*?(?=9{6,}|0{6,})/gm,Xs=i=>{if(sp(i)||_s.has(i))return i;let s=`${i}`,e=s.match(Dh);if(e==null)return i;let t=e[0].length-1;if(s.indexOf("e-")!=-1){let[r,n]=s.split("e");return+`${Xs(r)}e${n}`}return ke(i,t)};function Ys(i,s){return Xs(ke(Xs(i/s))*s)}function wn(i,s){return Xs(Ct(Xs(i/s))*s)}function ep(i,s){return Xs(yt(Xs(i/s))*s)}function ke(i,s=0){if(sp(i))return i;let e=10**s,t=i*e*(1+Number.EPSILON);return He(t)/e}var _s=new Map;function tp(i){return((""+i).split(".")[1]||"").length}function xr(i,s,e,t){let r=[],n=t.map(tp);for(let o=s;o<e;o++){let l=Ge(o),p=ke(Ri(i,o),l);for(let u=0;u<t.length;u++){let b=i==10?+`${t[u]}e${o}`:t[u]*p,f=(o>=0?0:l)+(o>=n[u]?0:n[u]),$=i==10?b:ke(b,f);r.push($),_s.set($,f)}}return r}var $r={},ia=[],Di=[null,null],Es=Array.isArray,sp=Number.isInteger,Nh=i=>i===void 0;function _c(i){return typeof i=="string"}function $n(i){let s=!1;if(i!=null){let e=i.constructor;s=e==null||e==Object}return s}function jh(i){return i!=null&&typeof i=="object"}var Fh=Object.getPrototypeOf(Uint8Array),ip="__proto__";function Ni(i,s=$n){let e;if(Es(i)){let t=i.find(r=>r!=null);if(Es(t)||s(t)){e=Array(i.length);for(let r=0;r<i.length;r++)e[r]=Ni(i[r],s)}else e=i.slice()}else if(i instanceof Fh)e=i.slice();else if(s(i)){e={};for(let t in i)t!=ip&&(e[t]=Ni(i[t],s))}else e=i;return e}function je(i){let s=arguments;for(let e=1;e<s.length;e++){let t=s[e];for(let r in t)r!=ip&&($n(i[r])?je(i[r],Ni(t[r])):i[r]=Ni(t[r]))}return i}var Vh=0,Hh=1,Gh=2;function Bh(i,s,e){for(let t=0,r,n=-1;t<s.length;t++){let o=s[t];if(o>n){for(r=o-1;r>=0&&i[r]==null;)i[r--]=null;for(r=o+1;r<e&&i[r]==null;)i[n=r++]=null}}}function Ih(i,s){if(zh(i)){let o=i[0].slice();for(let l=1;l<i.length;l++)o.push(...i[l].slice(1));return Wh(o[0])||(o=qh(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let p=i[o][0],u=p.length;for(let b=0;b<u;b++)e.add(p[b])}let t=[Array.from(e).sort((o,l)=>o-l)],r=t[0].length,n=new Map;for(let o=0;o<r;o++)n.set(t[0][o],o);for(let o=0;o<i.length;o++){let l=i[o],p=l[0];for(let u=1;u<l.length;u++){let b=l[u],f=Array(r).fill(void 0),$=s?s[o][u]:Hh,P=[];for(let C=0;C<b.length;C++){let V=b[C],z=n.get(p[C]);V===null?$!=Vh&&(f[z]=V,$==Gh&&P.push(z)):f[z]=V}Bh(f,P,r),t.push(f)}}return t}var Uh=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function qh(i){let s=i[0],e=s.length,t=Array(e);for(let n=0;n<t.length;n++)t[n]=n;t.sort((n,o)=>s[n]-s[o]);let r=[];for(let n=0;n<i.length;n++){let o=i[n],l=Array(e);for(let p=0;p<e;p++)l[p]=o[t[p]];r.push(l)}return r}function zh(i){let s=i[0][0],e=s.length;for(let t=1;t<i.length;t++){let r=i[t][0];if(r.length!=e)return!1;if(r!=s){for(let n=0;n<e;n++)if(r[n]!=s[n])return!1}}return!0}function Wh(i,s=100){let e=i.length;if(e<=1)return!0;let t=0,r=e-1;for(;t<=r&&i[t]==null;)t++;for(;r>=t&&i[r]==null;)r--;if(r<=t)return!0;let n=at(1,yt((r-t+1)/s));for(let o=i[t],l=t+n;l<=r;l+=n){let p=i[l];if(p!=null){if(p<=o)return!1;o=p}}return!0}var rp=["January","February","March","April","May","June","July","August","September","October","November","December"],np=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function op(i){return i.slice(0,3)}var Kh=np.map(op),Yh=rp.map(op),Jh={MMMM:rp,MMM:Yh,WWWW:np,WWW:Kh};function gr(i){return(i<10?"0":"")+i}function Zh(i){return(i<10?"00":i<100?"0":"")+i}var Qh={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,s)=>s.MMMM[i.getMonth()],MMM:(i,s)=>s.MMM[i.getMonth()],MM:i=>gr(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>gr(i.getDate()),D:i=>i.getDate(),WWWW:(i,s)=>s.WWWW[i.getDay()],WWW:(i,s)=>s.WWW[i.getDay()],HH:i=>gr(i.getHours()),H:i=>i.getHours(),h:i=>{let s=i.getHours();return s==0?12:s>12?s-12:s},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>gr(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>gr(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>Zh(i.getMilliseconds())};function ra(i,s){s=s||Jh;let e=[],t=/\{([a-z]+)\}|[^{]+/gi,r;for(;r=t.exec(i);)e.push(r[0][0]=="{"?Qh[r[1]]:r[0]);return n=>{let o="";for(let l=0;l<e.length;l++)o+=typeof e[l]=="string"?e[l]:e[l](n,s);return o}}var Xh=new Intl.DateTimeFormat().resolvedOptions().timeZone;function em(i,s){let e;return s=="UTC"||s=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):s==Xh?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:s})),e.setMilliseconds(i.getMilliseconds())),e}var ap=i=>i%1==0,vn=[1,2,2.5,5],tm=xr(10,-32,0,vn),lp=xr(10,0,32,vn),sm=lp.filter(ap),Js=tm.concat(lp),na=`
`,cp="{YYYY}",Pc=na+cp,pp="{M}/{D}",yr=na+pp,un=yr+"/{YY}",dp="{aa}",im="{h}:{mm}",Li=im+dp,Tc=na+Li,Mc=":{ss}",ye=null;function up(i){let s=i*1e3,e=s*60,t=e*60,r=t*24,n=r*30,o=r*365,p=(i==1?xr(10,0,3,vn).filter(ap):xr(10,-3,0,vn)).concat([s,s*5,s*10,s*15,s*30,e,e*5,e*10,e*15,e*30,t,t*2,t*3,t*4,t*6,t*8,t*12,r,r*2,r*3,r*4,r*5,r*6,r*7,r*8,r*9,r*10,r*15,n,n*2,n*3,n*4,n*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),u=[[o,cp,ye,ye,ye,ye,ye,ye,1],[r*28,"{MMM}",Pc,ye,ye,ye,ye,ye,1],[r,pp,Pc,ye,ye,ye,ye,ye,1],[t,"{h}"+dp,un,ye,yr,ye,ye,ye,1],[e,Li,un,ye,yr,ye,ye,ye,1],[s,Mc,un+" "+Li,ye,yr+" "+Li,ye,Tc,ye,1],[i,Mc+".{fff}",un+" "+Li,ye,yr+" "+Li,ye,Tc,ye,1]];function b(f){return($,P,C,V,z,J)=>{let _=[],U=z>=o,M=z>=n&&z<o,oe=f(C),N=ke(oe*i,3),ae=Fo(oe.getFullYear(),U?0:oe.getMonth(),M||U?1:oe.getDate()),se=ke(ae*i,3);if(M||U){let pe=M?z/n:0,te=U?z/o:0,A=N==se?N:ke(Fo(ae.getFullYear()+te,ae.getMonth()+pe,1)*i,3),ne=new Date(He(A/i)),H=ne.getFullYear(),Q=ne.getMonth();for(let W=0;A<=V;W++){let ue=Fo(H+te*W,Q+pe*W,1),q=ue-f(ke(ue*i,3));A=ke((+ue+q)*i,3),A<=V&&_.push(A)}}else{let pe=z>=r?r:z,te=yt(C)-yt(N),A=se+te+wn(N-se,pe);_.push(A);let ne=f(A),H=ne.getHours()+ne.getMinutes()/e+ne.getSeconds()/t,Q=z/t,W=$.axes[P]._space,ue=J/W;for(;A=ke(A+z,i==1?0:3),!(A>V);)if(Q>1){let q=yt(ke(H+Q,6))%24,he=f(A).getHours()-q;he>1&&(he=-1),A-=he*t,H=(H+Q)%24;let we=_[_.length-1];ke((A-we)/z,3)*ue>=.7&&_.push(A)}else _.push(A)}return _}}return[p,u,b]}var[rm,nm,om]=up(1),[am,lm,cm]=up(.001);xr(2,-53,53,[1]);function Ac(i,s){return i.map(e=>e.map((t,r)=>r==0||r==8||t==null?t:s(r==1||e[8]==0?t:e[1]+t)))}function Cc(i,s){return(e,t,r,n,o)=>{let l=s.find(C=>o>=C[0])||s[s.length-1],p,u,b,f,$,P;return t.map(C=>{let V=i(C),z=V.getFullYear(),J=V.getMonth(),_=V.getDate(),U=V.getHours(),M=V.getMinutes(),oe=V.getSeconds(),N=z!=p&&l[2]||J!=u&&l[3]||_!=b&&l[4]||U!=f&&l[5]||M!=$&&l[6]||oe!=P&&l[7]||l[1];return p=z,u=J,b=_,f=U,$=M,P=oe,N(V)})}}function pm(i,s){let e=ra(s);return(t,r,n,o,l)=>r.map(p=>e(i(p)))}function Fo(i,s,e){return new Date(i,s,e)}function Lc(i,s){return s(i)}var dm="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Oc(i,s){return(e,t,r,n)=>n==null?Qo:s(i(t))}function um(i,s){let e=i.series[s];return e.width?e.stroke(i,s):e.points.width?e.points.stroke(i,s):null}function hm(i,s){return i.series[s].fill(i,s)}var mm={show:!0,live:!0,isolate:!1,mount:Oh,markers:{show:!0,width:2,stroke:um,fill:hm,dash:"solid"},idx:null,idxs:null,values:[]};function fm(i,s){let e=i.cursor.points,t=At(),r=e.size(i,s);Te(t,vr,r),Te(t,br,r);let n=r/-2;Te(t,"marginLeft",n),Te(t,"marginTop",n);let o=e.width(i,s,r);return o&&Te(t,"borderWidth",o),t}function gm(i,s){let e=i.series[s].points;return e._fill||e._stroke}function vm(i,s){let e=i.series[s].points;return e._stroke||e._fill}function bm(i,s){return i.series[s].points.size}var Vo=[0,0];function ym(i,s,e){return Vo[0]=s,Vo[1]=e,Vo}function hn(i,s,e,t=!0){return r=>{r.button==0&&(!t||r.target==s)&&e(r)}}function Ho(i,s,e,t=!0){return r=>{(!t||r.target==s)&&e(r)}}var wm={show:!0,x:!0,y:!0,lock:!1,move:ym,points:{one:!1,show:fm,size:bm,width:0,stroke:vm,fill:gm},bind:{mousedown:hn,mouseup:hn,click:hn,dblclick:hn,mousemove:Ho,mouseleave:Ho,mouseenter:Ho},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,s)=>{s.stopPropagation(),s.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,s,e,t,r)=>t-r,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},hp={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},oa=je({},hp,{filter:Xc}),mp=je({},oa,{size:10}),fp=je({},hp,{show:!1}),aa='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',gp="bold "+aa,vp=1.5,Rc={show:!0,scale:"x",stroke:Zo,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:gp,side:2,grid:oa,ticks:mp,border:fp,font:aa,lineGap:vp,rotate:0},$m="Value",xm="Time",Dc={show:!0,scale:"x",auto:!1,sorted:1,min:xe,max:-xe,idxs:[]};function km(i,s,e,t,r){return s.map(n=>n==null?"":sa(n))}function Sm(i,s,e,t,r,n,o){let l=[],p=_s.get(r)||0;e=o?e:ke(wn(e,r),p);for(let u=e;u<=t;u=ke(u+r,p))l.push(Object.is(u,-0)?0:u);return l}function zo(i,s,e,t,r,n,o){let l=[],p=i.scales[i.axes[s].scale].log,u=p==10?ds:Jc,b=yt(u(e));r=Ri(p,b),p==10&&(r=Js[It(r,Js)]);let f=e,$=r*p;p==10&&($=Js[It($,Js)]);do l.push(f),f=f+r,p==10&&!_s.has(f)&&(f=ke(f,_s.get(r))),f>=$&&(r=f,$=r*p,p==10&&($=Js[It($,Js)]));while(f<=t);return l}function Em(i,s,e,t,r,n,o){let p=i.scales[i.axes[s].scale].asinh,u=t>p?zo(i,s,at(p,e),t,r):[p],b=t>=0&&e<=0?[0]:[];return(e<-p?zo(i,s,at(p,-t),-e,r):[p]).reverse().map($=>-$).concat(b,u)}var bp=/./,_m=/[12357]/,Pm=/[125]/,Nc=/1/,Wo=(i,s,e,t)=>i.map((r,n)=>s==4&&r==0||n%t==0&&e.test(r.toExponential()[r<0?1:0])?r:null);function Tm(i,s,e,t,r){let n=i.axes[e],o=n.scale,l=i.scales[o],p=i.valToPos,u=n._space,b=p(10,o),f=p(9,o)-b>=u?bp:p(7,o)-b>=u?_m:p(5,o)-b>=u?Pm:Nc;if(f==Nc){let $=Ge(p(1,o)-b);if($<u)return Wo(s.slice().reverse(),l.distr,f,Ct(u/$)).reverse()}return Wo(s,l.distr,f,1)}function Mm(i,s,e,t,r){let n=i.axes[e],o=n.scale,l=n._space,p=i.valToPos,u=Ge(p(1,o)-p(2,o));return u<l?Wo(s.slice().reverse(),3,bp,Ct(l/u)).reverse():s}function Am(i,s,e,t){return t==null?Qo:s==null?"":sa(s)}var jc={show:!0,scale:"y",stroke:Zo,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:gp,side:3,grid:oa,ticks:mp,border:fp,font:aa,lineGap:vp,rotate:0};function Cm(i,s){let e=3+(i||1)*2;return ke(e*s,3)}function Lm(i,s){let{scale:e,idxs:t}=i.series[0],r=i._data[0],n=i.valToPos(r[t[0]],e,!0),o=i.valToPos(r[t[1]],e,!0),l=Ge(o-n),p=i.series[s],u=l/(p.points.space*ve);return t[1]-t[0]<=u}var Fc={scale:null,auto:!0,sorted:0,min:xe,max:-xe},yp=(i,s,e,t,r)=>r,Vc={show:!0,auto:!0,sorted:0,gaps:yp,alpha:1,facets:[je({},Fc,{scale:"x"}),je({},Fc,{scale:"y"})]},Hc={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:yp,alpha:1,points:{show:Lm,filter:null},values:null,min:xe,max:-xe,idxs:[],path:null,clip:null};function Om(i,s,e,t,r){return e/10}var wp={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Rm=je({},wp,{time:!1,ori:1}),Gc={};function $p(i,s){let e=Gc[i];return e||(e={key:i,plots:[],sub(t){e.plots.push(t)},unsub(t){e.plots=e.plots.filter(r=>r!=t)},pub(t,r,n,o,l,p,u){for(let b=0;b<e.plots.length;b++)e.plots[b]!=r&&e.plots[b].pub(t,r,n,o,l,p,u)}},i!=null&&(Gc[i]=e)),e}var ji=1,Ko=2;function ei(i,s,e){let t=i.mode,r=i.series[s],n=t==2?i._data[s]:i._data,o=i.scales,l=i.bbox,p=n[0],u=t==2?n[1]:n[s],b=t==2?o[r.facets[0].scale]:o[i.series[0].scale],f=t==2?o[r.facets[1].scale]:o[r.scale],$=l.left,P=l.top,C=l.width,V=l.height,z=i.valToPosH,J=i.valToPosV;return b.ori==0?e(r,p,u,b,f,z,J,$,P,C,V,kn,Vi,En,kp,Ep):e(r,p,u,b,f,J,z,P,$,V,C,Sn,Hi,pa,Sp,_p)}function la(i,s){let e=0,t=0,r=fe(i.bands,ia);for(let n=0;n<r.length;n++){let o=r[n];o.series[0]==s?e=o.dir:o.series[1]==s&&(o.dir==1?t|=1:t|=2)}return[e,t==1?-1:t==2?1:t==3?2:0]}function Dm(i,s,e,t,r){let n=i.mode,o=i.series[s],l=n==2?o.facets[1].scale:o.scale,p=i.scales[l];return r==-1?p.min:r==1?p.max:p.distr==3?p.dir==1?p.min:p.max:0}function us(i,s,e,t,r,n){return ei(i,s,(o,l,p,u,b,f,$,P,C,V,z)=>{let J=o.pxRound,_=u.dir*(u.ori==0?1:-1),U=u.ori==0?Vi:Hi,M,oe;_==1?(M=e,oe=t):(M=t,oe=e);let N=J(f(l[M],u,V,P)),ae=J($(p[M],b,z,C)),se=J(f(l[oe],u,V,P)),pe=J($(n==1?b.max:b.min,b,z,C)),te=new Path2D(r);return U(te,se,pe),U(te,N,pe),U(te,N,ae),te})}function xn(i,s,e,t,r,n){let o=null;if(i.length>0){o=new Path2D;let l=s==0?En:pa,p=e;for(let f=0;f<i.length;f++){let $=i[f];if($[1]>$[0]){let P=$[0]-p;P>0&&l(o,p,t,P,t+n),p=$[1]}}let u=e+r-p,b=10;u>0&&l(o,p,t-b/2,u,t+n+b)}return o}function Nm(i,s,e){let t=i[i.length-1];t&&t[0]==s?t[1]=e:i.push([s,e])}function ca(i,s,e,t,r,n,o){let l=[],p=i.length;for(let u=r==1?e:t;u>=e&&u<=t;u+=r)if(s[u]===null){let f=u,$=u;if(r==1)for(;++u<=t&&s[u]===null;)$=u;else for(;--u>=e&&s[u]===null;)$=u;let P=n(i[f]),C=$==f?P:n(i[$]),V=f-r;P=o<=0&&V>=0&&V<p?n(i[V]):P;let J=$+r;C=o>=0&&J>=0&&J<p?n(i[J]):C,C>=P&&l.push([P,C])}return l}function Bc(i){return i==0?Qc:i==1?He:s=>Ys(s,i)}function xp(i){let s=i==0?kn:Sn,e=i==0?(r,n,o,l,p,u)=>{r.arcTo(n,o,l,p,u)}:(r,n,o,l,p,u)=>{r.arcTo(o,n,p,l,u)},t=i==0?(r,n,o,l,p)=>{r.rect(n,o,l,p)}:(r,n,o,l,p)=>{r.rect(o,n,p,l)};return(r,n,o,l,p,u=0,b=0)=>{u==0&&b==0?t(r,n,o,l,p):(u=Ut(u,l/2,p/2),b=Ut(b,l/2,p/2),s(r,n+u,o),e(r,n+l,o,n+l,o+p,u),e(r,n+l,o+p,n,o+p,b),e(r,n,o+p,n,o,b),e(r,n,o,n+l,o,u),r.closePath())}}var kn=(i,s,e)=>{i.moveTo(s,e)},Sn=(i,s,e)=>{i.moveTo(e,s)},Vi=(i,s,e)=>{i.lineTo(s,e)},Hi=(i,s,e)=>{i.lineTo(e,s)},En=xp(0),pa=xp(1),kp=(i,s,e,t,r,n)=>{i.arc(s,e,t,r,n)},Sp=(i,s,e,t,r,n)=>{i.arc(e,s,t,r,n)},Ep=(i,s,e,t,r,n,o)=>{i.bezierCurveTo(s,e,t,r,n,o)},_p=(i,s,e,t,r,n,o)=>{i.bezierCurveTo(e,s,r,t,o,n)};function Pp(i){return(s,e,t,r,n)=>ei(s,e,(o,l,p,u,b,f,$,P,C,V,z)=>{let{pxRound:J,points:_}=o,U,M;u.ori==0?(U=kn,M=kp):(U=Sn,M=Sp);let oe=ke(_.width*ve,3),N=(_.size-_.width)/2*ve,ae=ke(N*2,3),se=new Path2D,pe=new Path2D,{left:te,top:A,width:ne,height:H}=s.bbox;En(pe,te-ae,A-ae,ne+ae*2,H+ae*2);let Q=W=>{if(p[W]!=null){let ue=J(f(l[W],u,V,P)),q=J($(p[W],b,z,C));U(se,ue+N,q),M(se,ue,q,N,0,mn*2)}};if(n)n.forEach(Q);else for(let W=t;W<=r;W++)Q(W);return{stroke:oe>0?se:null,fill:se,clip:pe,flags:ji|Ko}})}function Tp(i){return(s,e,t,r,n,o)=>{t!=r&&(n!=t&&o!=t&&i(s,e,t),n!=r&&o!=r&&i(s,e,r),i(s,e,o))}}var jm=Tp(Vi),Fm=Tp(Hi);function Mp(i){let s=fe(i?.alignGaps,0);return(e,t,r,n)=>ei(e,t,(o,l,p,u,b,f,$,P,C,V,z)=>{[r,n]=bn(p,r,n);let J=o.pxRound,_=H=>J(f(H,u,V,P)),U=H=>J($(H,b,z,C)),M,oe;u.ori==0?(M=Vi,oe=jm):(M=Hi,oe=Fm);let N=u.dir*(u.ori==0?1:-1),ae={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:ji},se=ae.stroke,pe=!1;if(n-r>=V*4){let H=G=>e.posToVal(G,u.key,!0),Q=null,W=null,ue,q,lt,Me=_(l[N==1?r:n]),he=_(l[r]),we=_(l[n]),le=H(N==1?he+1:we-1);for(let G=N==1?r:n;G>=r&&G<=n;G+=N){let Fe=l[G],Ae=(N==1?Fe<le:Fe>le)?Me:_(Fe),be=p[G];Ae==Me?be!=null?(q=be,Q==null?(M(se,Ae,U(q)),ue=Q=W=q):q<Q?Q=q:q>W&&(W=q)):be===null&&(pe=!0):(Q!=null&&oe(se,Me,U(Q),U(W),U(ue),U(q)),be!=null?(q=be,M(se,Ae,U(q)),Q=W=ue=q):(Q=W=null,be===null&&(pe=!0)),Me=Ae,le=H(Me+N))}Q!=null&&Q!=W&&lt!=Me&&oe(se,Me,U(Q),U(W),U(ue),U(q))}else for(let H=N==1?r:n;H>=r&&H<=n;H+=N){let Q=p[H];Q===null?pe=!0:Q!=null&&M(se,_(l[H]),U(Q))}let[A,ne]=la(e,t);if(o.fill!=null||A!=0){let H=ae.fill=new Path2D(se),Q=o.fillTo(e,t,o.min,o.max,A),W=U(Q),ue=_(l[r]),q=_(l[n]);N==-1&&([q,ue]=[ue,q]),M(H,q,W),M(H,ue,W)}if(!o.spanGaps){let H=[];pe&&H.push(...ca(l,p,r,n,N,_,s)),ae.gaps=H=o.gaps(e,t,r,n,H),ae.clip=xn(H,u.ori,P,C,V,z)}return ne!=0&&(ae.band=ne==2?[us(e,t,r,n,se,-1),us(e,t,r,n,se,1)]:us(e,t,r,n,se,ne)),ae})}function Vm(i){let s=fe(i.align,1),e=fe(i.ascDesc,!1),t=fe(i.alignGaps,0),r=fe(i.extend,!1);return(n,o,l,p)=>ei(n,o,(u,b,f,$,P,C,V,z,J,_,U)=>{[l,p]=bn(f,l,p);let M=u.pxRound,{left:oe,width:N}=n.bbox,ae=he=>M(C(he,$,_,z)),se=he=>M(V(he,P,U,J)),pe=$.ori==0?Vi:Hi,te={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:ji},A=te.stroke,ne=$.dir*($.ori==0?1:-1),H=se(f[ne==1?l:p]),Q=ae(b[ne==1?l:p]),W=Q,ue=Q;r&&s==-1&&(ue=oe,pe(A,ue,H)),pe(A,Q,H);for(let he=ne==1?l:p;he>=l&&he<=p;he+=ne){let we=f[he];if(we==null)continue;let le=ae(b[he]),G=se(we);s==1?pe(A,le,H):pe(A,W,G),pe(A,le,G),H=G,W=le}let q=W;r&&s==1&&(q=oe+N,pe(A,q,H));let[lt,Me]=la(n,o);if(u.fill!=null||lt!=0){let he=te.fill=new Path2D(A),we=u.fillTo(n,o,u.min,u.max,lt),le=se(we);pe(he,q,le),pe(he,ue,le)}if(!u.spanGaps){let he=[];he.push(...ca(b,f,l,p,ne,ae,t));let we=u.width*ve/2,le=e||s==1?we:-we,G=e||s==-1?-we:we;he.forEach(Fe=>{Fe[0]+=le,Fe[1]+=G}),te.gaps=he=u.gaps(n,o,l,p,he),te.clip=xn(he,$.ori,z,J,_,U)}return Me!=0&&(te.band=Me==2?[us(n,o,l,p,A,-1),us(n,o,l,p,A,1)]:us(n,o,l,p,A,Me)),te})}function Ic(i,s,e,t,r,n,o=xe){if(i.length>1){let l=null;for(let p=0,u=1/0;p<i.length;p++)if(s[p]!==void 0){if(l!=null){let b=Ge(i[p]-i[l]);b<u&&(u=b,o=Ge(e(i[p],t,r,n)-e(i[l],t,r,n)))}l=p}}return o}function Hm(i){i=i||$r;let s=fe(i.size,[.6,xe,1]),e=i.align||0,t=i.gap||0,r=i.radius;r=r==null?[0,0]:typeof r=="number"?[r,0]:r;let n=de(r),o=1-s[0],l=fe(s[1],xe),p=fe(s[2],1),u=fe(i.disp,$r),b=fe(i.each,P=>{}),{fill:f,stroke:$}=u;return(P,C,V,z)=>ei(P,C,(J,_,U,M,oe,N,ae,se,pe,te,A)=>{let ne=J.pxRound,H=e,Q=t*ve,W=l*ve,ue=p*ve,q,lt;M.ori==0?[q,lt]=n(P,C):[lt,q]=n(P,C);let Me=M.dir*(M.ori==0?1:-1),he=M.ori==0?En:pa,we=M.ori==0?b:(R,Se,Ve,li,Ns,Yt,js)=>{b(R,Se,Ve,Ns,li,js,Yt)},le=fe(P.bands,ia).find(R=>R.series[0]==C),G=le!=null?le.dir:0,Fe=J.fillTo(P,C,J.min,J.max,G),tt=ne(ae(Fe,oe,A,pe)),Ae,be,Dt,ht=te,Le=ne(J.width*ve),Kt=!1,os=null,xt=null,vs=null,ni=null;f!=null&&(Le==0||$!=null)&&(Kt=!0,os=f.values(P,C,V,z),xt=new Map,new Set(os).forEach(R=>{R!=null&&xt.set(R,new Path2D)}),Le>0&&(vs=$.values(P,C,V,z),ni=new Map,new Set(vs).forEach(R=>{R!=null&&ni.set(R,new Path2D)})));let{x0:oi,size:qi}=u;if(oi!=null&&qi!=null){H=1,_=oi.values(P,C,V,z),oi.unit==2&&(_=_.map(Ve=>P.posToVal(se+Ve*te,M.key,!0)));let R=qi.values(P,C,V,z);qi.unit==2?be=R[0]*te:be=N(R[0],M,te,se)-N(0,M,te,se),ht=Ic(_,U,N,M,te,se,ht),Dt=ht-be+Q}else ht=Ic(_,U,N,M,te,se,ht),Dt=ht*o+Q,be=ht-Dt;Dt<1&&(Dt=0),Le>=be/2&&(Le=0),Dt<5&&(ne=Qc);let Tr=Dt>0,Rs=ht-Dt-(Tr?Le:0);be=ne(qo(Rs,ue,W)),Ae=(H==0?be/2:H==Me?0:be)-H*Me*((H==0?Q/2:0)+(Tr?Le/2:0));let st={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},ai=Kt?null:new Path2D,as=null;if(le!=null)as=P.data[le.series[1]];else{let{y0:R,y1:Se}=u;R!=null&&Se!=null&&(U=Se.values(P,C,V,z),as=R.values(P,C,V,z))}let Ds=q*be,ie=lt*be;for(let R=Me==1?V:z;R>=V&&R<=z;R+=Me){let Se=U[R];if(Se==null)continue;if(as!=null){let ct=as[R]??0;if(Se-ct==0)continue;tt=ae(ct,oe,A,pe)}let Ve=M.distr!=2||u!=null?_[R]:R,li=N(Ve,M,te,se),Ns=ae(fe(Se,Fe),oe,A,pe),Yt=ne(li-Ae),js=ne(at(Ns,tt)),mt=ne(Ut(Ns,tt)),kt=js-mt;if(Se!=null){let ct=Se<0?ie:Ds,Nt=Se<0?Ds:ie;Kt?(Le>0&&vs[R]!=null&&he(ni.get(vs[R]),Yt,mt+yt(Le/2),be,at(0,kt-Le),ct,Nt),os[R]!=null&&he(xt.get(os[R]),Yt,mt+yt(Le/2),be,at(0,kt-Le),ct,Nt)):he(ai,Yt,mt+yt(Le/2),be,at(0,kt-Le),ct,Nt),we(P,C,R,Yt-Le/2,mt,be+Le,kt)}}return Le>0?st.stroke=Kt?ni:ai:Kt||(st._fill=J.width==0?J._fill:J._stroke??J._fill,st.width=0),st.fill=Kt?xt:ai,st})}function Gm(i,s){let e=fe(s?.alignGaps,0);return(t,r,n,o)=>ei(t,r,(l,p,u,b,f,$,P,C,V,z,J)=>{[n,o]=bn(u,n,o);let _=l.pxRound,U=q=>_($(q,b,z,C)),M=q=>_(P(q,f,J,V)),oe,N,ae;b.ori==0?(oe=kn,ae=Vi,N=Ep):(oe=Sn,ae=Hi,N=_p);let se=b.dir*(b.ori==0?1:-1),pe=U(p[se==1?n:o]),te=pe,A=[],ne=[];for(let q=se==1?n:o;q>=n&&q<=o;q+=se)if(u[q]!=null){let Me=p[q],he=U(Me);A.push(te=he),ne.push(M(u[q]))}let H={stroke:i(A,ne,oe,ae,N,_),fill:null,clip:null,band:null,gaps:null,flags:ji},Q=H.stroke,[W,ue]=la(t,r);if(l.fill!=null||W!=0){let q=H.fill=new Path2D(Q),lt=l.fillTo(t,r,l.min,l.max,W),Me=M(lt);ae(q,te,Me),ae(q,pe,Me)}if(!l.spanGaps){let q=[];q.push(...ca(p,u,n,o,se,U,e)),H.gaps=q=l.gaps(t,r,n,o,q),H.clip=xn(q,b.ori,C,V,z,J)}return ue!=0&&(H.band=ue==2?[us(t,r,n,o,Q,-1),us(t,r,n,o,Q,1)]:us(t,r,n,o,Q,ue)),H})}function Bm(i){return Gm(Im,i)}function Im(i,s,e,t,r,n){let o=i.length;if(o<2)return null;let l=new Path2D;if(e(l,i[0],s[0]),o==2)t(l,i[1],s[1]);else{let p=Array(o),u=Array(o-1),b=Array(o-1),f=Array(o-1);for(let $=0;$<o-1;$++)b[$]=s[$+1]-s[$],f[$]=i[$+1]-i[$],u[$]=b[$]/f[$];p[0]=u[0];for(let $=1;$<o-1;$++)u[$]===0||u[$-1]===0||u[$-1]>0!=u[$]>0?p[$]=0:(p[$]=3*(f[$-1]+f[$])/((2*f[$]+f[$-1])/u[$-1]+(f[$]+2*f[$-1])/u[$]),isFinite(p[$])||(p[$]=0));p[o-1]=u[o-2];for(let $=0;$<o-1;$++)r(l,i[$]+f[$]/3,s[$]+p[$]*f[$]/3,i[$+1]-f[$]/3,s[$+1]-p[$+1]*f[$]/3,i[$+1],s[$+1])}return l}var Yo=new Set;function Uc(){for(let i of Yo)i.syncRect(!0)}Fi&&(Qs(kh,Oi,Uc),Qs(Sh,Oi,Uc,!0),Qs(fn,Oi,()=>{Be.pxRatio=ve}));var Um=Mp(),qm=Pp();function qc(i,s,e,t){return(t?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((n,o)=>Jo(n,o,s,e))}function zm(i,s){return i.map((e,t)=>t==0?{}:je({},s,e))}function Jo(i,s,e,t){return je({},s==0?e:t,i)}function Ap(i,s,e){return s==null?Di:[s,e]}var Wm=Ap;function Km(i,s,e){return s==null?Di:gn(s,e,ta,!0)}function Cp(i,s,e,t){return s==null?Di:yn(s,e,i.scales[t].log,!1)}var Ym=Cp;function Lp(i,s,e,t){return s==null?Di:ea(s,e,i.scales[t].log,!1)}var Jm=Lp;function Zm(i,s,e,t,r){let n=at(kc(i),kc(s)),o=s-i,l=It(r/t*o,e);do{let p=e[l],u=t*p/o;if(u>=r&&n+(p<5?_s.get(p):0)<=17)return[p,u]}while(++l<e.length);return[0,0]}function zc(i){let s,e;return i=i.replace(/(\d+)px/,(t,r)=>(s=He((e=+r)*ve))+"px"),[i,s,e]}function Qm(i){i.show&&[i.font,i.labelFont].forEach(s=>{let e=ke(s[2]*ve,1);s[0]=s[0].replace(/[0-9.]+px/,e+"px"),s[1]=e})}function Be(i,s,e){let t={mode:fe(i.mode,1)},r=t.mode;function n(a,c,h,m){let g=c.valToPct(a);return m+h*(c.dir==-1?1-g:g)}function o(a,c,h,m){let g=c.valToPct(a);return m+h*(c.dir==-1?g:1-g)}function l(a,c,h,m){return c.ori==0?n(a,c,h,m):o(a,c,h,m)}t.valToPosH=n,t.valToPosV=o;let p=!1;t.status=0;let u=t.root=At(nh);if(i.id!=null&&(u.id=i.id),bt(u,i.class),i.title){let a=At(lh,u);a.textContent=i.title}let b=Bt("canvas"),f=t.ctx=b.getContext("2d"),$=At(ch,u);Qs("click",$,a=>{a.target===C&&(Ee!=yi||Ce!=wi)&&Ze.click(t,a)},!0);let P=t.under=At(ph,$);$.appendChild(b);let C=t.over=At(dh,$);i=Ni(i);let V=+fe(i.pxAlign,1),z=Bc(V);(i.plugins||[]).forEach(a=>{a.opts&&(i=a.opts(t,i)||i)});let J=i.ms||.001,_=t.series=r==1?qc(i.series||[],Dc,Hc,!1):zm(i.series||[null],Vc),U=t.axes=qc(i.axes||[],Rc,jc,!0),M=t.scales={},oe=t.bands=i.bands||[];oe.forEach(a=>{a.fill=de(a.fill||null),a.dir=fe(a.dir,-1)});let N=r==2?_[1].facets[0].scale:_[0].scale,ae={axes:Md,series:Sd},se=(i.drawOrder||["axes","series"]).map(a=>ae[a]);function pe(a){let c=a.distr==3?h=>ds(h>0?h:a.clamp(t,h,a.min,a.max,a.key)):a.distr==4?h=>jo(h,a.asinh):a.distr==100?h=>a.fwd(h):h=>h;return h=>{let m=c(h),{_min:g,_max:w}=a,x=w-g;return(m-g)/x}}function te(a){let c=M[a];if(c==null){let h=(i.scales||$r)[a]||$r;if(h.from!=null){te(h.from);let m=je({},M[h.from],h,{key:a});m.valToPct=pe(m),M[a]=m}else{c=M[a]=je({},a==N?wp:Rm,h),c.key=a;let m=c.time,g=c.range,w=Es(g);if((a!=N||r==2&&!m)&&(w&&(g[0]==null||g[1]==null)&&(g={min:g[0]==null?wc:{mode:1,hard:g[0],soft:g[0]},max:g[1]==null?wc:{mode:1,hard:g[1],soft:g[1]}},w=!1),!w&&$n(g))){let x=g;g=(S,E,L)=>E==null?Di:gn(E,L,x)}c.range=de(g||(m?Wm:a==N?c.distr==3?Ym:c.distr==4?Jm:Ap:c.distr==3?Cp:c.distr==4?Lp:Km)),c.auto=de(w?!1:c.auto),c.clamp=de(c.clamp||Om),c._min=c._max=null,c.valToPct=pe(c)}}}te("x"),te("y"),r==1&&_.forEach(a=>{te(a.scale)}),U.forEach(a=>{te(a.scale)});for(let a in i.scales)te(a);let A=M[N],ne=A.distr,H,Q;A.ori==0?(bt(u,oh),H=n,Q=o):(bt(u,ah),H=o,Q=n);let W={};for(let a in M){let c=M[a];(c.min!=null||c.max!=null)&&(W[a]={min:c.min,max:c.max},c.min=c.max=null)}let ue=i.tzDate||(a=>new Date(He(a/J))),q=i.fmtDate||ra,lt=J==1?om(ue):cm(ue),Me=Cc(ue,Ac(J==1?nm:lm,q)),he=Oc(ue,Lc(dm,q)),we=[],le=t.legend=je({},mm,i.legend),G=t.cursor=je({},wm,{drag:{y:r==2}},i.cursor),Fe=le.show,tt=G.show,Ae=le.markers;le.idxs=we,Ae.width=de(Ae.width),Ae.dash=de(Ae.dash),Ae.stroke=de(Ae.stroke),Ae.fill=de(Ae.fill);let be,Dt,ht,Le=[],Kt=[],os,xt=!1,vs={};if(le.live){let a=_[1]?_[1].values:null;xt=a!=null,os=xt?a(t,1,0):{_:0};for(let c in os)vs[c]=Qo}if(Fe)if(be=Bt("table",vh,u),ht=Bt("tbody",null,be),le.mount(t,be),xt){Dt=Bt("thead",null,be,ht);let a=Bt("tr",null,Dt);Bt("th",null,a);for(var ni in os)Bt("th",ac,a).textContent=ni}else bt(be,yh),le.live&&bt(be,bh);let oi={show:!0},qi={show:!1};function Tr(a,c){if(c==0&&(xt||!le.live||r==2))return Di;let h=[],m=Bt("tr",wh,ht,ht.childNodes[c]);bt(m,a.class),a.show||bt(m,Zs);let g=Bt("th",null,m);if(Ae.show){let S=At($h,g);if(c>0){let E=Ae.width(t,c);E&&(S.style.border=E+"px "+Ae.dash(t,c)+" "+Ae.stroke(t,c)),S.style.background=Ae.fill(t,c)}}let w=At(ac,g);a.label instanceof HTMLElement?w.appendChild(a.label):w.textContent=a.label,c>0&&(Ae.show||(w.style.color=a.width>0?Ae.stroke(t,c):Ae.fill(t,c)),st("click",g,S=>{if(G._lock)return;Vs(S);let E=_.indexOf(a);if((S.ctrlKey||S.metaKey)!=le.isolate){let L=_.some((O,D)=>D>0&&D!=E&&O.show);_.forEach((O,D)=>{D>0&&Zt(D,L?D==E?oi:qi:oi,!0,Ne.setSeries)})}else Zt(E,{show:!a.show},!0,Ne.setSeries)},!1),pi&&st(dc,g,S=>{G._lock||(Vs(S),Zt(_.indexOf(a),xi,!0,Ne.setSeries))},!1));for(var x in os){let S=Bt("td",xh,m);S.textContent="--",h.push(S)}return[m,h]}let Rs=new Map;function st(a,c,h,m=!0){let g=Rs.get(c)||{},w=G.bind[a](t,c,h,m);w&&(Qs(a,c,g[a]=w),Rs.set(c,g))}function ai(a,c,h){let m=Rs.get(c)||{};for(let g in m)(a==null||g==a)&&(Uo(g,c,m[g]),delete m[g]);a==null&&Rs.delete(c)}let as=0,Ds=0,ie=0,R=0,Se=0,Ve=0,li=Se,Ns=Ve,Yt=ie,js=R,mt=0,kt=0,ct=0,Nt=0;t.bbox={};let jn=!1,Mr=!1,ci=!1,Fs=!1,Ar=!1,St=!1;function Fn(a,c,h){(h||a!=t.width||c!=t.height)&&ya(a,c),fi(!1),ci=!0,Mr=!0,gi()}function ya(a,c){t.width=as=ie=a,t.height=Ds=R=c,Se=Ve=0,vd(),bd();let h=t.bbox;mt=h.left=Ys(Se*ve,.5),kt=h.top=Ys(Ve*ve,.5),ct=h.width=Ys(ie*ve,.5),Nt=h.height=Ys(R*ve,.5)}let md=3;function fd(){let a=!1,c=0;for(;!a;){c++;let h=Pd(c),m=Td(c);a=c==md||h&&m,a||(ya(t.width,t.height),Mr=!0)}}function gd({width:a,height:c}){Fn(a,c)}t.setSize=gd;function vd(){let a=!1,c=!1,h=!1,m=!1;U.forEach((g,w)=>{if(g.show&&g._show){let{side:x,_size:S}=g,E=x%2,L=g.label!=null?g.labelSize:0,O=S+L;O>0&&(E?(ie-=O,x==3?(Se+=O,m=!0):h=!0):(R-=O,x==0?(Ve+=O,a=!0):c=!0))}}),Hs[0]=a,Hs[1]=h,Hs[2]=c,Hs[3]=m,ie-=bs[1]+bs[3],Se+=bs[3],R-=bs[2]+bs[0],Ve+=bs[0]}function bd(){let a=Se+ie,c=Ve+R,h=Se,m=Ve;function g(w,x){switch(w){case 1:return a+=x,a-x;case 2:return c+=x,c-x;case 3:return h-=x,h+x;case 0:return m-=x,m+x}}U.forEach((w,x)=>{if(w.show&&w._show){let S=w.side;w._pos=g(S,w._size),w.label!=null&&(w._lpos=g(S,w.labelSize))}})}if(G.dataIdx==null){let a=G.hover,c=a.skip=new Set(a.skip??[]);c.add(void 0);let h=a.prox=de(a.prox),m=a.bias??=0;G.dataIdx=(g,w,x,S)=>{if(w==0)return x;let E=x,L=h(g,w,x,S)??xe,O=L>=0&&L<xe,D=A.ori==0?ie:R,X=G.left,ge=s[0],me=s[w];if(c.has(me[x])){E=null;let ce=null,Z=null,B;if(m==0||m==-1)for(B=x;ce==null&&B-- >0;)c.has(me[B])||(ce=B);if(m==0||m==1)for(B=x;Z==null&&B++<me.length;)c.has(me[B])||(Z=B);if(ce!=null||Z!=null)if(O){let Pe=ce==null?-1/0:H(ge[ce],A,D,0),Re=Z==null?1/0:H(ge[Z],A,D,0),Ke=X-Pe,$e=Re-X;Ke<=$e?Ke<=L&&(E=ce):$e<=L&&(E=Z)}else E=Z==null?ce:ce==null?Z:x-ce<=Z-x?ce:Z}else O&&Ge(X-H(ge[x],A,D,0))>L&&(E=null);return E}}let Vs=a=>{G.event=a};G.idxs=we,G._lock=!1;let Qe=G.points;Qe.show=de(Qe.show),Qe.size=de(Qe.size),Qe.stroke=de(Qe.stroke),Qe.width=de(Qe.width),Qe.fill=de(Qe.fill);let Jt=t.focus=je({},i.focus||{alpha:.3},G.focus),pi=Jt.prox>=0,di=pi&&Qe.one,Et=[],ui=[],hi=[];function wa(a,c){let h=Qe.show(t,c);if(h instanceof HTMLElement)return bt(h,gh),bt(h,a.class),ss(h,-10,-10,ie,R),C.insertBefore(h,Et[c]),h}function $a(a,c){if(r==1||c>0){let h=r==1&&M[a.scale].time,m=a.value;a.value=h?_c(m)?Oc(ue,Lc(m,q)):m||he:m||Am,a.label=a.label||(h?xm:$m)}if(di||c>0){a.width=a.width==null?1:a.width,a.paths=a.paths||Um||Rh,a.fillTo=de(a.fillTo||Dm),a.pxAlign=+fe(a.pxAlign,V),a.pxRound=Bc(a.pxAlign),a.stroke=de(a.stroke||null),a.fill=de(a.fill||null),a._stroke=a._fill=a._paths=a._focus=null;let h=Cm(at(1,a.width),1),m=a.points=je({},{size:h,width:at(1,h*.2),stroke:a.stroke,space:h*2,paths:qm,_stroke:null,_fill:null},a.points);m.show=de(m.show),m.filter=de(m.filter),m.fill=de(m.fill),m.stroke=de(m.stroke),m.paths=de(m.paths),m.pxAlign=a.pxAlign}if(Fe){let h=Tr(a,c);Le.splice(c,0,h[0]),Kt.splice(c,0,h[1]),le.values.push(null)}if(tt){we.splice(c,0,null);let h=null;di?c==0&&(h=wa(a,c)):c>0&&(h=wa(a,c)),Et.splice(c,0,h),ui.splice(c,0,0),hi.splice(c,0,0)}We("addSeries",c)}function yd(a,c){c=c??_.length,a=r==1?Jo(a,c,Dc,Hc):Jo(a,c,{},Vc),_.splice(c,0,a),$a(_[c],c)}t.addSeries=yd;function wd(a){if(_.splice(a,1),Fe){le.values.splice(a,1),Kt.splice(a,1);let c=Le.splice(a,1)[0];ai(null,c.firstChild),c.remove()}tt&&(we.splice(a,1),Et.splice(a,1)[0].remove(),ui.splice(a,1),hi.splice(a,1)),We("delSeries",a)}t.delSeries=wd;let Hs=[!1,!1,!1,!1];function $d(a,c){if(a._show=a.show,a.show){let h=a.side%2,m=M[a.scale];m==null&&(a.scale=h?_[1].scale:N,m=M[a.scale]);let g=m.time;a.size=de(a.size),a.space=de(a.space),a.rotate=de(a.rotate),Es(a.incrs)&&a.incrs.forEach(x=>{!_s.has(x)&&_s.set(x,tp(x))}),a.incrs=de(a.incrs||(m.distr==2?sm:g?J==1?rm:am:Js)),a.splits=de(a.splits||(g&&m.distr==1?lt:m.distr==3?zo:m.distr==4?Em:Sm)),a.stroke=de(a.stroke),a.grid.stroke=de(a.grid.stroke),a.ticks.stroke=de(a.ticks.stroke),a.border.stroke=de(a.border.stroke);let w=a.values;a.values=Es(w)&&!Es(w[0])?de(w):g?Es(w)?Cc(ue,Ac(w,q)):_c(w)?pm(ue,w):w||Me:w||km,a.filter=de(a.filter||(m.distr>=3&&m.log==10?Tm:m.distr==3&&m.log==2?Mm:Xc)),a.font=zc(a.font),a.labelFont=zc(a.labelFont),a._size=a.size(t,null,c,0),a._space=a._rotate=a._incrs=a._found=a._splits=a._values=null,a._size>0&&(Hs[c]=!0,a._el=At(uh,$))}}function zi(a,c,h,m){let[g,w,x,S]=h,E=c%2,L=0;return E==0&&(S||w)&&(L=c==0&&!g||c==2&&!x?He(Rc.size/3):0),E==1&&(g||x)&&(L=c==1&&!w||c==3&&!S?He(jc.size/2):0),L}let xa=t.padding=(i.padding||[zi,zi,zi,zi]).map(a=>de(fe(a,zi))),bs=t._padding=xa.map((a,c)=>a(t,c,Hs,0)),Je,Ie=null,Ue=null,Cr=r==1?_[0].idxs:null,jt=null,Wi=!1;function ka(a,c){if(s=a??[],t.data=t._data=s,r==2){Je=0;for(let h=1;h<_.length;h++)Je+=s[h][0].length}else{s.length==0&&(t.data=t._data=s=[[]]),jt=s[0],Je=jt.length;let h=s;if(ne==2){h=s.slice();let m=h[0]=Array(Je);for(let g=0;g<Je;g++)m[g]=g}t._data=s=h}if(fi(!0),We("setData"),ne==2&&(ci=!0),c!==!1){let h=A;h.auto(t,Wi)?Vn():ws(N,h.min,h.max),Fs=Fs||G.left>=0,St=!0,gi()}}t.setData=ka;function Vn(){Wi=!0;let a,c;r==1&&(Je>0?(Ie=Cr[0]=0,Ue=Cr[1]=Je-1,a=s[0][Ie],c=s[0][Ue],ne==2?(a=Ie,c=Ue):a==c&&(ne==3?[a,c]=yn(a,a,A.log,!1):ne==4?[a,c]=ea(a,a,A.log,!1):A.time?c=a+He(86400/J):[a,c]=gn(a,c,ta,!0))):(Ie=Cr[0]=a=null,Ue=Cr[1]=c=null)),ws(N,a,c)}let Lr,mi,Hn,Gn,Bn,In,Un,qn,zn,pt;function Sa(a,c,h,m,g,w){a??=cc,h??=ia,m??="butt",g??=cc,w??="round",a!=Lr&&(f.strokeStyle=Lr=a),g!=mi&&(f.fillStyle=mi=g),c!=Hn&&(f.lineWidth=Hn=c),w!=Bn&&(f.lineJoin=Bn=w),m!=In&&(f.lineCap=In=m),h!=Gn&&f.setLineDash(Gn=h)}function Ea(a,c,h,m){c!=mi&&(f.fillStyle=mi=c),a!=Un&&(f.font=Un=a),h!=qn&&(f.textAlign=qn=h),m!=zn&&(f.textBaseline=zn=m)}function Wn(a,c,h,m,g=0){if(m.length>0&&a.auto(t,Wi)&&(c==null||c.min==null)){let w=fe(Ie,0),x=fe(Ue,m.length-1),S=h.min==null?Th(m,w,x,g,a.distr==3):[h.min,h.max];a.min=Ut(a.min,h.min=S[0]),a.max=at(a.max,h.max=S[1])}}let _a={min:null,max:null};function xd(){for(let m in M){let g=M[m];W[m]==null&&(g.min==null||W[N]!=null&&g.auto(t,Wi))&&(W[m]=_a)}for(let m in M){let g=M[m];W[m]==null&&g.from!=null&&W[g.from]!=null&&(W[m]=_a)}W[N]!=null&&fi(!0);let a={};for(let m in W){let g=W[m];if(g!=null){let w=a[m]=Ni(M[m],jh);if(g.min!=null)je(w,g);else if(m!=N||r==2)if(Je==0&&w.from==null){let x=w.range(t,null,null,m);w.min=x[0],w.max=x[1]}else w.min=xe,w.max=-xe}}if(Je>0){_.forEach((m,g)=>{if(r==1){let w=m.scale,x=W[w];if(x==null)return;let S=a[w];if(g==0){let E=S.range(t,S.min,S.max,w);S.min=E[0],S.max=E[1],Ie=It(S.min,s[0]),Ue=It(S.max,s[0]),Ue-Ie>1&&(s[0][Ie]<S.min&&Ie++,s[0][Ue]>S.max&&Ue--),m.min=jt[Ie],m.max=jt[Ue]}else m.show&&m.auto&&Wn(S,x,m,s[g],m.sorted);m.idxs[0]=Ie,m.idxs[1]=Ue}else if(g>0&&m.show&&m.auto){let[w,x]=m.facets,S=w.scale,E=x.scale,[L,O]=s[g],D=a[S],X=a[E];D!=null&&Wn(D,W[S],w,L,w.sorted),X!=null&&Wn(X,W[E],x,O,x.sorted),m.min=x.min,m.max=x.max}});for(let m in a){let g=a[m],w=W[m];if(g.from==null&&(w==null||w.min==null)){let x=g.range(t,g.min==xe?null:g.min,g.max==-xe?null:g.max,m);g.min=x[0],g.max=x[1]}}}for(let m in a){let g=a[m];if(g.from!=null){let w=a[g.from];if(w.min==null)g.min=g.max=null;else{let x=g.range(t,w.min,w.max,m);g.min=x[0],g.max=x[1]}}}let c={},h=!1;for(let m in a){let g=a[m],w=M[m];if(w.min!=g.min||w.max!=g.max){w.min=g.min,w.max=g.max;let x=w.distr;w._min=x==3?ds(w.min):x==4?jo(w.min,w.asinh):x==100?w.fwd(w.min):w.min,w._max=x==3?ds(w.max):x==4?jo(w.max,w.asinh):x==100?w.fwd(w.max):w.max,c[m]=h=!0}}if(h){_.forEach((m,g)=>{r==2?g>0&&c.y&&(m._paths=null):c[m.scale]&&(m._paths=null)});for(let m in c)ci=!0,We("setScale",m);tt&&G.left>=0&&(Fs=St=!0)}for(let m in W)W[m]=null}function kd(a){let c=qo(Ie-1,0,Je-1),h=qo(Ue+1,0,Je-1);for(;a[c]==null&&c>0;)c--;for(;a[h]==null&&h<Je-1;)h++;return[c,h]}function Sd(){if(Je>0){let a=_.some(c=>c._focus)&&pt!=Jt.alpha;a&&(f.globalAlpha=pt=Jt.alpha),_.forEach((c,h)=>{if(h>0&&c.show&&(Pa(h,!1),Pa(h,!0),c._paths==null)){let m=pt;pt!=c.alpha&&(f.globalAlpha=pt=c.alpha);let g=r==2?[0,s[h][0].length-1]:kd(s[h]);c._paths=c.paths(t,h,g[0],g[1]),pt!=m&&(f.globalAlpha=pt=m)}}),_.forEach((c,h)=>{if(h>0&&c.show){let m=pt;pt!=c.alpha&&(f.globalAlpha=pt=c.alpha),c._paths!=null&&Ta(h,!1);{let g=c._paths!=null?c._paths.gaps:null,w=c.points.show(t,h,Ie,Ue,g),x=c.points.filter(t,h,w,g);(w||x)&&(c.points._paths=c.points.paths(t,h,Ie,Ue,x),Ta(h,!0))}pt!=m&&(f.globalAlpha=pt=m),We("drawSeries",h)}}),a&&(f.globalAlpha=pt=1)}}function Pa(a,c){let h=c?_[a].points:_[a];h._stroke=h.stroke(t,a),h._fill=h.fill(t,a)}function Ta(a,c){let h=c?_[a].points:_[a],{stroke:m,fill:g,clip:w,flags:x,_stroke:S=h._stroke,_fill:E=h._fill,_width:L=h.width}=h._paths;L=ke(L*ve,3);let O=null,D=L%2/2;c&&E==null&&(E=L>0?"#fff":S);let X=h.pxAlign==1&&D>0;if(X&&f.translate(D,D),!c){let ge=mt-L/2,me=kt-L/2,ce=ct+L,Z=Nt+L;O=new Path2D,O.rect(ge,me,ce,Z)}c?Kn(S,L,h.dash,h.cap,E,m,g,x,w):Ed(a,S,L,h.dash,h.cap,E,m,g,x,O,w),X&&f.translate(-D,-D)}function Ed(a,c,h,m,g,w,x,S,E,L,O){let D=!1;E!=0&&oe.forEach((X,ge)=>{if(X.series[0]==a){let me=_[X.series[1]],ce=s[X.series[1]],Z=(me._paths||$r).band;Es(Z)&&(Z=X.dir==1?Z[0]:Z[1]);let B,Pe=null;me.show&&Z&&Ah(ce,Ie,Ue)?(Pe=X.fill(t,ge)||w,B=me._paths.clip):Z=null,Kn(c,h,m,g,Pe,x,S,E,L,O,B,Z),D=!0}}),D||Kn(c,h,m,g,w,x,S,E,L,O)}let Ma=ji|Ko;function Kn(a,c,h,m,g,w,x,S,E,L,O,D){Sa(a,c,h,m,g),(E||L||D)&&(f.save(),E&&f.clip(E),L&&f.clip(L)),D?(S&Ma)==Ma?(f.clip(D),O&&f.clip(O),Rr(g,x),Or(a,w,c)):S&Ko?(Rr(g,x),f.clip(D),Or(a,w,c)):S&ji&&(f.save(),f.clip(D),O&&f.clip(O),Rr(g,x),f.restore(),Or(a,w,c)):(Rr(g,x),Or(a,w,c)),(E||L||D)&&f.restore()}function Or(a,c,h){h>0&&(c instanceof Map?c.forEach((m,g)=>{f.strokeStyle=Lr=g,f.stroke(m)}):c!=null&&a&&f.stroke(c))}function Rr(a,c){c instanceof Map?c.forEach((h,m)=>{f.fillStyle=mi=m,f.fill(h)}):c!=null&&a&&f.fill(c)}function _d(a,c,h,m){let g=U[a],w;if(m<=0)w=[0,0];else{let x=g._space=g.space(t,a,c,h,m),S=g._incrs=g.incrs(t,a,c,h,m,x);w=Zm(c,h,S,m,x)}return g._found=w}function Yn(a,c,h,m,g,w,x,S,E,L){let O=x%2/2;V==1&&f.translate(O,O),Sa(S,x,E,L,S),f.beginPath();let D,X,ge,me,ce=g+(m==0||m==3?-w:w);h==0?(X=g,me=ce):(D=g,ge=ce);for(let Z=0;Z<a.length;Z++)c[Z]!=null&&(h==0?D=ge=a[Z]:X=me=a[Z],f.moveTo(D,X),f.lineTo(ge,me));f.stroke(),V==1&&f.translate(-O,-O)}function Pd(a){let c=!0;return U.forEach((h,m)=>{if(!h.show)return;let g=M[h.scale];if(g.min==null){h._show&&(c=!1,h._show=!1,fi(!1));return}else h._show||(c=!1,h._show=!0,fi(!1));let w=h.side,x=w%2,{min:S,max:E}=g,[L,O]=_d(m,S,E,x==0?ie:R);if(O==0)return;let D=g.distr==2,X=h._splits=h.splits(t,m,S,E,L,O,D),ge=g.distr==2?X.map(B=>jt[B]):X,me=g.distr==2?jt[X[1]]-jt[X[0]]:L,ce=h._values=h.values(t,h.filter(t,ge,m,O,me),m,O,me);h._rotate=w==2?h.rotate(t,ce,m,O):0;let Z=h._size;h._size=Ct(h.size(t,ce,m,a)),Z!=null&&h._size!=Z&&(c=!1)}),c}function Td(a){let c=!0;return xa.forEach((h,m)=>{let g=h(t,m,Hs,a);g!=bs[m]&&(c=!1),bs[m]=g}),c}function Md(){for(let a=0;a<U.length;a++){let c=U[a];if(!c.show||!c._show)continue;let h=c.side,m=h%2,g,w,x=c.stroke(t,a),S=h==0||h==3?-1:1,[E,L]=c._found;if(c.label!=null){let rt=c.labelGap*S,vt=He((c._lpos+rt)*ve);Ea(c.labelFont[0],x,"center",h==2?"top":lc),f.save(),m==1?(g=w=0,f.translate(vt,He(kt+Nt/2)),f.rotate((h==3?-mn:mn)/2)):(g=He(mt+ct/2),w=vt);let Is=Zc(c.label)?c.label(t,a,E,L):c.label;f.fillText(Is,g,w),f.restore()}if(L==0)continue;let O=M[c.scale],D=m==0?ct:Nt,X=m==0?mt:kt,ge=c._splits,me=O.distr==2?ge.map(rt=>jt[rt]):ge,ce=O.distr==2?jt[ge[1]]-jt[ge[0]]:E,Z=c.ticks,B=c.border,Pe=Z.show?Z.size:0,Re=He(Pe*ve),Ke=He((c.alignTo==2?c._size-Pe-c.gap:c.gap)*ve),$e=c._rotate*-mn/180,De=z(c._pos*ve),ft=(Re+Ke)*S,it=De+ft;w=m==0?it:0,g=m==1?it:0;let _t=c.font[0],Ft=c.align==1?Ci:c.align==2?Ro:$e>0?Ci:$e<0?Ro:m==0?"center":h==3?Ro:Ci,Xt=$e||m==1?"middle":h==2?"top":lc;Ea(_t,x,Ft,Xt);let gt=c.font[1]*c.lineGap,Pt=ge.map(rt=>z(l(rt,O,D,X))),Vt=c._values;for(let rt=0;rt<Vt.length;rt++){let vt=Vt[rt];if(vt!=null){m==0?g=Pt[rt]:w=Pt[rt],vt=""+vt;let Is=vt.indexOf(`
`)==-1?[vt]:vt.split(/\n/gm);for(let nt=0;nt<Is.length;nt++){let Ka=Is[nt];$e?(f.save(),f.translate(g,w+nt*gt),f.rotate($e),f.fillText(Ka,0,0),f.restore()):f.fillText(Ka,g,w+nt*gt)}}}Z.show&&Yn(Pt,Z.filter(t,me,a,L,ce),m,h,De,Re,ke(Z.width*ve,3),Z.stroke(t,a),Z.dash,Z.cap);let es=c.grid;es.show&&Yn(Pt,es.filter(t,me,a,L,ce),m,m==0?2:1,m==0?kt:mt,m==0?Nt:ct,ke(es.width*ve,3),es.stroke(t,a),es.dash,es.cap),B.show&&Yn([De],[1],m==0?1:0,m==0?1:2,m==1?kt:mt,m==1?Nt:ct,ke(B.width*ve,3),B.stroke(t,a),B.dash,B.cap)}We("drawAxes")}function fi(a){_.forEach((c,h)=>{h>0&&(c._paths=null,a&&(r==1?(c.min=null,c.max=null):c.facets.forEach(m=>{m.min=null,m.max=null})))})}let Dr=!1,Jn=!1,Ki=[];function Ad(){Jn=!1;for(let a=0;a<Ki.length;a++)We(...Ki[a]);Ki.length=0}function gi(){Dr||(Uh(Aa),Dr=!0)}function Cd(a,c=!1){Dr=!0,Jn=c,a(t),Aa(),c&&Ki.length>0&&queueMicrotask(Ad)}t.batch=Cd;function Aa(){if(jn&&(xd(),jn=!1),ci&&(fd(),ci=!1),Mr){if(Te(P,Ci,Se),Te(P,"top",Ve),Te(P,vr,ie),Te(P,br,R),Te(C,Ci,Se),Te(C,"top",Ve),Te(C,vr,ie),Te(C,br,R),Te($,vr,as),Te($,br,Ds),b.width=He(as*ve),b.height=He(Ds*ve),U.forEach(({_el:a,_show:c,_size:h,_pos:m,side:g})=>{if(a!=null)if(c){let w=g===3||g===0?h:0,x=g%2==1;Te(a,x?"left":"top",m-w),Te(a,x?"width":"height",h),Te(a,x?"top":"left",x?Ve:Se),Te(a,x?"height":"width",x?R:ie),Io(a,Zs)}else bt(a,Zs)}),Lr=mi=Hn=Bn=In=Un=qn=zn=Gn=null,pt=1,Zi(!0),Se!=li||Ve!=Ns||ie!=Yt||R!=js){fi(!1);let a=ie/Yt,c=R/js;if(tt&&!Fs&&G.left>=0){G.left*=a,G.top*=c,vi&&ss(vi,He(G.left),0,ie,R),bi&&ss(bi,0,He(G.top),ie,R);for(let h=0;h<Et.length;h++){let m=Et[h];m!=null&&(ui[h]*=a,hi[h]*=c,ss(m,Ct(ui[h]),Ct(hi[h]),ie,R))}}if(_e.show&&!Ar&&_e.left>=0&&_e.width>0){_e.left*=a,_e.width*=a,_e.top*=c,_e.height*=c;for(let h in so)Te($i,h,_e[h])}li=Se,Ns=Ve,Yt=ie,js=R}We("setSize"),Mr=!1}as>0&&Ds>0&&(f.clearRect(0,0,b.width,b.height),We("drawClear"),se.forEach(a=>a()),We("draw")),_e.show&&Ar&&(Nr(_e),Ar=!1),tt&&Fs&&(Bs(null,!0,!1),Fs=!1),le.show&&le.live&&St&&(eo(),St=!1),p||(p=!0,t.status=1,We("ready")),Wi=!1,Dr=!1}t.redraw=(a,c)=>{ci=c||!1,a!==!1?ws(N,A.min,A.max):gi()};function Zn(a,c){let h=M[a];if(h.from==null){if(Je==0){let m=h.range(t,c.min,c.max,a);c.min=m[0],c.max=m[1]}if(c.min>c.max){let m=c.min;c.min=c.max,c.max=m}if(Je>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)return;a==N&&h.distr==2&&Je>0&&(c.min=It(c.min,s[0]),c.max=It(c.max,s[0]),c.min==c.max&&c.max++),W[a]=c,jn=!0,gi()}}t.setScale=Zn;let Qn,Xn,vi,bi,Ca,La,yi,wi,Oa,Ra,Ee,Ce,ys=!1,Ze=G.drag,qe=Ze.x,ze=Ze.y;tt&&(G.x&&(Qn=At(mh,C)),G.y&&(Xn=At(fh,C)),A.ori==0?(vi=Qn,bi=Xn):(vi=Xn,bi=Qn),Ee=G.left,Ce=G.top);let _e=t.select=je({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),$i=_e.show?At(hh,_e.over?C:P):null;function Nr(a,c){if(_e.show){for(let h in a)_e[h]=a[h],h in so&&Te($i,h,a[h]);c!==!1&&We("setSelect")}}t.setSelect=Nr;function Ld(a){if(_[a].show)Fe&&Io(Le[a],Zs);else if(Fe&&bt(Le[a],Zs),tt){let h=di?Et[0]:Et[a];h!=null&&ss(h,-10,-10,ie,R)}}function ws(a,c,h){Zn(a,{min:c,max:h})}function Zt(a,c,h,m){c.focus!=null&&jd(a),c.show!=null&&_.forEach((g,w)=>{w>0&&(a==w||a==null)&&(g.show=c.show,Ld(w),r==2?(ws(g.facets[0].scale,null,null),ws(g.facets[1].scale,null,null)):ws(g.scale,null,null),gi())}),h!==!1&&We("setSeries",a,c),m&&Qi("setSeries",t,a,c)}t.setSeries=Zt;function Od(a,c){je(oe[a],c)}function Rd(a,c){a.fill=de(a.fill||null),a.dir=fe(a.dir,-1),c=c??oe.length,oe.splice(c,0,a)}function Dd(a){a==null?oe.length=0:oe.splice(a,1)}t.addBand=Rd,t.setBand=Od,t.delBand=Dd;function Nd(a,c){_[a].alpha=c,tt&&Et[a]!=null&&(Et[a].style.opacity=c),Fe&&Le[a]&&(Le[a].style.opacity=c)}let ls,$s,Gs,xi={focus:!0};function jd(a){if(a!=Gs){let c=a==null,h=Jt.alpha!=1;_.forEach((m,g)=>{if(r==1||g>0){let w=c||g==0||g==a;m._focus=c?null:w,h&&Nd(g,w?1:Jt.alpha)}}),Gs=a,h&&gi()}}Fe&&pi&&st(uc,be,a=>{G._lock||(Vs(a),Gs!=null&&Zt(null,xi,!0,Ne.setSeries))});function Qt(a,c,h){let m=M[c];h&&(a=a/ve-(m.ori==1?Ve:Se));let g=ie;m.ori==1&&(g=R,a=g-a),m.dir==-1&&(a=g-a);let w=m._min,x=m._max,S=a/g,E=w+(x-w)*S,L=m.distr;return L==3?Ri(10,E):L==4?Lh(E,m.asinh):L==100?m.bwd(E):E}function Fd(a,c){let h=Qt(a,N,c);return It(h,s[0],Ie,Ue)}t.valToIdx=a=>It(a,s[0]),t.posToIdx=Fd,t.posToVal=Qt,t.valToPos=(a,c,h)=>M[c].ori==0?n(a,M[c],h?ct:ie,h?mt:0):o(a,M[c],h?Nt:R,h?kt:0),t.setCursor=(a,c,h)=>{Ee=a.left,Ce=a.top,Bs(null,c,h)};function Da(a,c){Te($i,Ci,_e.left=a),Te($i,vr,_e.width=c)}function Na(a,c){Te($i,"top",_e.top=a),Te($i,br,_e.height=c)}let Yi=A.ori==0?Da:Na,Ji=A.ori==1?Da:Na;function Vd(){if(Fe&&le.live)for(let a=r==2?1:0;a<_.length;a++){if(a==0&&xt)continue;let c=le.values[a],h=0;for(let m in c)Kt[a][h++].firstChild.nodeValue=c[m]}}function eo(a,c){if(a!=null&&(a.idxs?a.idxs.forEach((h,m)=>{we[m]=h}):Nh(a.idx)||we.fill(a.idx),le.idx=we[0]),Fe&&le.live){for(let h=0;h<_.length;h++)(h>0||r==1&&!xt)&&Hd(h,we[h]);Vd()}St=!1,c!==!1&&We("setLegend")}t.setLegend=eo;function Hd(a,c){let h=_[a],m=a==0&&ne==2?jt:s[a],g;xt?g=h.values(t,a,c)??vs:(g=h.value(t,c==null?null:m[c],a,c),g=g==null?vs:{_:g}),le.values[a]=g}function Bs(a,c,h){Oa=Ee,Ra=Ce,[Ee,Ce]=G.move(t,Ee,Ce),G.left=Ee,G.top=Ce,tt&&(vi&&ss(vi,He(Ee),0,ie,R),bi&&ss(bi,0,He(Ce),ie,R));let m,g=Ie>Ue;ls=xe,$s=null;let w=A.ori==0?ie:R,x=A.ori==1?ie:R;if(Ee<0||Je==0||g){m=G.idx=null;for(let S=0;S<_.length;S++){let E=Et[S];E!=null&&ss(E,-10,-10,ie,R)}pi&&Zt(null,xi,!0,a==null&&Ne.setSeries),le.live&&(we.fill(m),St=!0)}else{let S,E,L;r==1&&(S=A.ori==0?Ee:Ce,E=Qt(S,N),m=G.idx=It(E,s[0],Ie,Ue),L=H(s[0][m],A,w,0));let O=-10,D=-10,X=0,ge=0,me=!0,ce="",Z="";for(let B=r==2?1:0;B<_.length;B++){let Pe=_[B],Re=we[B],Ke=Re==null?null:r==1?s[B][Re]:s[B][1][Re],$e=G.dataIdx(t,B,m,E),De=$e==null?null:r==1?s[B][$e]:s[B][1][$e];if(St=St||De!=Ke||$e!=Re,we[B]=$e,B>0&&Pe.show){let ft=$e==null?-10:$e==m?L:H(r==1?s[0][$e]:s[B][0][$e],A,w,0),it=De==null?-10:Q(De,r==1?M[Pe.scale]:M[Pe.facets[1].scale],x,0);if(pi&&De!=null){let _t=A.ori==1?Ee:Ce,Ft=Ge(Jt.dist(t,B,$e,it,_t));if(Ft<ls){let Xt=Jt.bias;if(Xt!=0){let gt=Qt(_t,Pe.scale),Pt=De>=0?1:-1,Vt=gt>=0?1:-1;Vt==Pt&&(Vt==1?Xt==1?De>=gt:De<=gt:Xt==1?De<=gt:De>=gt)&&(ls=Ft,$s=B)}else ls=Ft,$s=B}}if(St||di){let _t,Ft;A.ori==0?(_t=ft,Ft=it):(_t=it,Ft=ft);let Xt,gt,Pt,Vt,es,rt,vt=!0,Is=Qe.bbox;if(Is!=null){vt=!1;let nt=Is(t,B);Pt=nt.left,Vt=nt.top,Xt=nt.width,gt=nt.height}else Pt=_t,Vt=Ft,Xt=gt=Qe.size(t,B);if(rt=Qe.fill(t,B),es=Qe.stroke(t,B),di)B==$s&&ls<=Jt.prox&&(O=Pt,D=Vt,X=Xt,ge=gt,me=vt,ce=rt,Z=es);else{let nt=Et[B];nt!=null&&(ui[B]=Pt,hi[B]=Vt,yc(nt,Xt,gt,vt),vc(nt,rt,es),ss(nt,Ct(Pt),Ct(Vt),ie,R))}}}}if(di){let B=Jt.prox,Pe=Gs==null?ls<=B:ls>B||$s!=Gs;if(St||Pe){let Re=Et[0];Re!=null&&(ui[0]=O,hi[0]=D,yc(Re,X,ge,me),vc(Re,ce,Z),ss(Re,Ct(O),Ct(D),ie,R))}}}if(_e.show&&ys)if(a!=null){let[S,E]=Ne.scales,[L,O]=Ne.match,[D,X]=a.cursor.sync.scales,ge=a.cursor.drag;if(qe=ge._x,ze=ge._y,qe||ze){let{left:me,top:ce,width:Z,height:B}=a.select,Pe=a.scales[D].ori,Re=a.posToVal,Ke,$e,De,ft,it,_t=S!=null&&L(S,D),Ft=E!=null&&O(E,X);_t&&qe?(Pe==0?(Ke=me,$e=Z):(Ke=ce,$e=B),De=M[S],ft=H(Re(Ke,D),De,w,0),it=H(Re(Ke+$e,D),De,w,0),Yi(Ut(ft,it),Ge(it-ft))):Yi(0,w),Ft&&ze?(Pe==1?(Ke=me,$e=Z):(Ke=ce,$e=B),De=M[E],ft=Q(Re(Ke,X),De,x,0),it=Q(Re(Ke+$e,X),De,x,0),Ji(Ut(ft,it),Ge(it-ft))):Ji(0,x)}else io()}else{let S=Ge(Oa-Ca),E=Ge(Ra-La);if(A.ori==1){let X=S;S=E,E=X}qe=Ze.x&&S>=Ze.dist,ze=Ze.y&&E>=Ze.dist;let L=Ze.uni;L!=null?qe&&ze&&(qe=S>=L,ze=E>=L,!qe&&!ze&&(E>S?ze=!0:qe=!0)):Ze.x&&Ze.y&&(qe||ze)&&(qe=ze=!0);let O,D;qe&&(A.ori==0?(O=yi,D=Ee):(O=wi,D=Ce),Yi(Ut(O,D),Ge(D-O)),ze||Ji(0,x)),ze&&(A.ori==1?(O=yi,D=Ee):(O=wi,D=Ce),Ji(Ut(O,D),Ge(D-O)),qe||Yi(0,w)),!qe&&!ze&&(Yi(0,0),Ji(0,0))}if(Ze._x=qe,Ze._y=ze,a==null){if(h){if(Wa!=null){let[S,E]=Ne.scales;Ne.values[0]=S!=null?Qt(A.ori==0?Ee:Ce,S):null,Ne.values[1]=E!=null?Qt(A.ori==1?Ee:Ce,E):null}Qi(Do,t,Ee,Ce,ie,R,m)}if(pi){let S=h&&Ne.setSeries,E=Jt.prox;Gs==null?ls<=E&&Zt($s,xi,!0,S):ls>E?Zt(null,xi,!0,S):$s!=Gs&&Zt($s,xi,!0,S)}}St&&(le.idx=m,eo()),c!==!1&&We("setCursor")}let xs=null;Object.defineProperty(t,"rect",{get(){return xs==null&&Zi(!1),xs}});function Zi(a=!1){a?xs=null:(xs=C.getBoundingClientRect(),We("syncRect",xs))}function ja(a,c,h,m,g,w,x){G._lock||ys&&a!=null&&a.movementX==0&&a.movementY==0||(to(a,c,h,m,g,w,x,!1,a!=null),a!=null?Bs(null,!0,!0):Bs(c,!0,!1))}function to(a,c,h,m,g,w,x,S,E){if(xs==null&&Zi(!1),Vs(a),a!=null)h=a.clientX-xs.left,m=a.clientY-xs.top;else{if(h<0||m<0){Ee=-10,Ce=-10;return}let[L,O]=Ne.scales,D=c.cursor.sync,[X,ge]=D.values,[me,ce]=D.scales,[Z,B]=Ne.match,Pe=c.axes[0].side%2==1,Re=A.ori==0?ie:R,Ke=A.ori==1?ie:R,$e=Pe?w:g,De=Pe?g:w,ft=Pe?m:h,it=Pe?h:m;if(me!=null?h=Z(L,me)?l(X,M[L],Re,0):-10:h=Re*(ft/$e),ce!=null?m=B(O,ce)?l(ge,M[O],Ke,0):-10:m=Ke*(it/De),A.ori==1){let _t=h;h=m,m=_t}}E&&(c==null||c.cursor.event.type==Do)&&((h<=1||h>=ie-1)&&(h=Ys(h,ie)),(m<=1||m>=R-1)&&(m=Ys(m,R))),S?(Ca=h,La=m,[yi,wi]=G.move(t,h,m)):(Ee=h,Ce=m)}let so={width:0,height:0,left:0,top:0};function io(){Nr(so,!1)}let Fa,Va,Ha,Ga;function Ba(a,c,h,m,g,w,x){ys=!0,qe=ze=Ze._x=Ze._y=!1,to(a,c,h,m,g,w,x,!0,!1),a!=null&&(st(No,Go,Ia,!1),Qi(pc,t,yi,wi,ie,R,null));let{left:S,top:E,width:L,height:O}=_e;Fa=S,Va=E,Ha=L,Ga=O}function Ia(a,c,h,m,g,w,x){ys=Ze._x=Ze._y=!1,to(a,c,h,m,g,w,x,!1,!0);let{left:S,top:E,width:L,height:O}=_e,D=L>0||O>0,X=Fa!=S||Va!=E||Ha!=L||Ga!=O;if(D&&X&&Nr(_e),Ze.setScale&&D&&X){let ge=S,me=L,ce=E,Z=O;if(A.ori==1&&(ge=E,me=O,ce=S,Z=L),qe&&ws(N,Qt(ge,N),Qt(ge+me,N)),ze)for(let B in M){let Pe=M[B];B!=N&&Pe.from==null&&Pe.min!=xe&&ws(B,Qt(ce+Z,B),Qt(ce,B))}io()}else G.lock&&(G._lock=!G._lock,Bs(c,!0,a!=null));a!=null&&(ai(No,Go),Qi(No,t,Ee,Ce,ie,R,null))}function Gd(a,c,h,m,g,w,x){if(G._lock)return;Vs(a);let S=ys;if(ys){let E=!0,L=!0,O=10,D,X;A.ori==0?(D=qe,X=ze):(D=ze,X=qe),D&&X&&(E=Ee<=O||Ee>=ie-O,L=Ce<=O||Ce>=R-O),D&&E&&(Ee=Ee<yi?0:ie),X&&L&&(Ce=Ce<wi?0:R),Bs(null,!0,!0),ys=!1}Ee=-10,Ce=-10,we.fill(null),Bs(null,!0,!0),S&&(ys=S)}function Ua(a,c,h,m,g,w,x){G._lock||(Vs(a),Vn(),io(),a!=null&&Qi(hc,t,Ee,Ce,ie,R,null))}function qa(){U.forEach(Qm),Fn(t.width,t.height,!0)}Qs(fn,Oi,qa);let ki={};ki.mousedown=Ba,ki.mousemove=ja,ki.mouseup=Ia,ki.dblclick=Ua,ki.setSeries=(a,c,h,m)=>{let g=Ne.match[2];h=g(t,c,h),h!=-1&&Zt(h,m,!0,!1)},tt&&(st(pc,C,Ba),st(Do,C,ja),st(dc,C,a=>{Vs(a),Zi(!1)}),st(uc,C,Gd),st(hc,C,Ua),Yo.add(t),t.syncRect=Zi);let jr=t.hooks=i.hooks||{};function We(a,c,h){Jn?Ki.push([a,c,h]):a in jr&&jr[a].forEach(m=>{m.call(null,t,c,h)})}(i.plugins||[]).forEach(a=>{for(let c in a.hooks)jr[c]=(jr[c]||[]).concat(a.hooks[c])});let za=(a,c,h)=>h,Ne=je({key:null,setSeries:!1,filters:{pub:Sc,sub:Sc},scales:[N,_[1]?_[1].scale:null],match:[Ec,Ec,za],values:[null,null]},G.sync);Ne.match.length==2&&Ne.match.push(za),G.sync=Ne;let Wa=Ne.key,ro=$p(Wa);function Qi(a,c,h,m,g,w,x){Ne.filters.pub(a,c,h,m,g,w,x)&&ro.pub(a,c,h,m,g,w,x)}ro.sub(t);function Bd(a,c,h,m,g,w,x){Ne.filters.sub(a,c,h,m,g,w,x)&&ki[a](null,c,h,m,g,w,x)}t.pub=Bd;function Id(){ro.unsub(t),Yo.delete(t),Rs.clear(),Uo(fn,Oi,qa),u.remove(),be?.remove(),We("destroy")}t.destroy=Id;function no(){We("init",i,s),ka(s||i.data,!1),W[N]?Zn(N,W[N]):Vn(),Ar=_e.show&&(_e.width>0||_e.height>0),Fs=St=!0,Fn(i.width,i.height)}return _.forEach($a),U.forEach($d),e?e instanceof HTMLElement?(e.appendChild(u),no()):e(t,no):no(),t}Be.assign=je;Be.fmtNum=sa;Be.rangeNum=gn;Be.rangeLog=yn;Be.rangeAsinh=ea;Be.orient=ei;Be.pxRatio=ve;Be.join=Ih;Be.fmtDate=ra,Be.tzDate=em;Be.sync=$p;{Be.addGap=Nm,Be.clipGaps=xn;let i=Be.paths={points:Pp};i.linear=Mp,i.stepped=Vm,i.bars=Hm,i.spline=Bm}var da=150,Xm=6,hs=class extends F{constructor(){super(...arguments);this.nodes=[];this.seats=[];this.version=0;this.kind="";this.resized=new ResizeObserver(()=>this.resize());this.scheme=matchMedia("(prefers-color-scheme: dark)");this.renew=()=>{this.forget(),this.requestUpdate()}}connectedCallback(){super.connectedCallback(),this.resized.observe(this),this.scheme.addEventListener("change",this.renew)}disconnectedCallback(){this.resized.disconnect(),this.scheme.removeEventListener("change",this.renew),this.forget(),super.disconnectedCallback()}forget(){this.plot?.destroy(),this.plot=void 0,this.kind=""}resize(){this.plot&&this.clientWidth>0&&this.plot.setSize({width:this.clientWidth,height:da})}get drawn(){return this.seats.length===2?this.seats.slice(0,1):this.seats}get data(){let e=this.drawn.map((t,r)=>this.nodes.map(n=>n.judged?.values[r]??null));return[this.nodes.map((t,r)=>r),...e]}updated(e){let t=this.renderRoot.querySelector(".plot");if(!t)return this.forget();let r=[...this.drawn,document.documentElement.style.colorScheme].join();r!==this.kind&&this.forget(),this.plot?this.plot.setData(this.data):this.plot=new Be(this.options(),this.data,t),this.kind=r,this.plot.redraw()}options(){let e=u=>ef(this,u),[t,r,n,o]=[e("--quiet"),e("--edge"),e("--accent"),e("--good")],l={stroke:t,grid:{stroke:r,width:1},ticks:{show:!1},font:"12px system-ui, sans-serif"},p=()=>Math.max(this.nodes.length-1,1);return{width:this.clientWidth||300,height:da,padding:[8,8,0,0],legend:{show:!1},cursor:{y:!1,drag:{x:!1,y:!1},bind:{click:u=>()=>(this.go(u),null)}},scales:{x:{time:!1,range:()=>[0,p()]},y:{range:()=>[-1.05,1.05]}},axes:[{...l,size:24,incrs:[1,2,5,10,20,50,100,200],space:p()<Xm?20:40},{...l,size:34,splits:()=>[-1,0,1],values:()=>["−1","0","+1"]}],series:[{},...this.drawn.map((u,b)=>({label:u,stroke:[n,o,t][b%3],width:2,fill:this.drawn.length===1?`color-mix(in srgb, ${n} 16%, transparent)`:void 0,fillTo:0,spanGaps:!0,points:{show:!0,size:5}}))],hooks:{draw:[u=>this.drawCurrent(u,e("--text"),e("--bad"))]}}}drawCurrent(e,t,r){let{ctx:n,bbox:o}=e,l=this.nodes.indexOf(this.current);if(n.save(),n.lineWidth=2*devicePixelRatio,l>=0){let p=e.valToPos(l,"x",!0);n.strokeStyle=t,n.beginPath(),n.moveTo(p,o.top),n.lineTo(p,o.top+o.height),n.stroke()}n.strokeStyle=r;for(let[p,{judged:u}]of this.nodes.entries()){let b=u?.values[0];!u?.mark||b===null||b===void 0||(n.beginPath(),n.arc(e.valToPos(p,"x",!0),e.valToPos(b,"y",!0),6*devicePixelRatio,0,2*Math.PI),n.stroke())}n.restore()}go(e){let t=this.nodes[e.cursor.idx??-1];t&&this.dispatchEvent(new CustomEvent("show",{detail:t}))}render(){let e=this.nodes.filter(({judged:t})=>t);return e.length===0?y:d`
      <div class="plot" aria-hidden="true"></div>
      <p class="quiet">Value for ${this.drawn.join(", ")}: +1 won, −1 lost. Circles are mistakes; click to see a position.</p>
      <details>
        <summary class="quiet">As a table</summary>
        <table>
          ${e.map(t=>d`<tr>
              <th scope="row">${t.ply} ${t.move}</th>
              ${t.judged.values.map(r=>d`<td>${Gt(r)}</td>`)}
            </tr>`)}
        </table>
      </details>
    `}};hs.styles=[K,Y,j`
      :host {
        display: block;
        min-width: 0;
      }
      .plot {
        cursor: pointer;
        min-height: ${da}px;
      }
      .u-wrap {
        position: relative;
        user-select: none;
      }
      .u-over,
      .u-under,
      .u-axis {
        position: absolute;
      }
      .uplot canvas {
        display: block;
        width: 100%;
        height: 100%;
      }
      .u-cursor-x {
        position: absolute;
        left: 0;
        top: 0;
        height: 100%;
        border-right: 1px dashed var(--quiet);
        pointer-events: none;
      }
      .u-cursor-pt {
        position: absolute;
        top: 0;
        left: 0;
        border-radius: 50%;
        pointer-events: none;
      }
      .u-select,
      .u-legend,
      .u-cursor-y,
      .u-off {
        display: none;
      }
      table {
        border-collapse: collapse;
      }
    `],v([k({attribute:!1})],hs.prototype,"nodes",2),v([k({attribute:!1})],hs.prototype,"current",2),v([k({attribute:!1})],hs.prototype,"seats",2),v([k({type:Number})],hs.prototype,"version",2),hs=v([I("boardgym-analyse-graph")],hs);function ef(i,s){let e=document.createElement("span");e.style.color=`var(${s})`,i.shadowRoot.append(e);let t=getComputedStyle(e).color;return e.remove(),t}function _n(i,s){let e=i.getBoundingClientRect(),{top:t,bottom:r,height:n}=s.getBoundingClientRect();(t<e.top||r>e.bottom)&&(i.scrollTop+=t-e.top-(i.clientHeight-n)/2)}var ua={"":"",inaccuracy:"?!",mistake:"?",blunder:"??"},Ps=class extends F{constructor(){super(...arguments);this.version=0}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}updated(e){if(!e.has("current"))return;let t=this.renderRoot.querySelector(".list"),r=this.renderRoot.querySelector('[aria-current="true"]');t&&(r?_n(t,r):t.scrollTop=0)}render(){let e=this.current.parent&&this.current.parent.children[0]!==this.current;return d`
      <div class="list" tabindex="0" role="region" aria-label="Moves">
        ${this.root.children.length===0?d`<p class="quiet">Click a move on the board, or a line of the search.</p>`:this.renderFrom(this.root,!0)}
      </div>
      ${e?d`<button class="plain" @click=${()=>this.tell("forget",this.current)}>Remove this variation</button>`:y}
    `}renderFrom(e,t){let r=[];for(let n=e,o=t;n.children[0];){let[l,...p]=n.children;r.push(this.renderMove(l,o||l.ply%2===1));for(let u of p)r.push(d`<span class="variation">${this.renderMove(u,!0)}${this.renderFrom(u,!1)}</span>`);o=p.length>0,n=l}return r}renderMove(e,t){let r=e.judged?.mark??"";return d`${t?d`<span class="number">${e.ply}.</span>`:y}<button
        class="move ${e.judged?.seat===-1?"roll":""}"
        aria-current=${e===this.current?"true":y}
        title=${e.judged?.words||y}
        @click=${()=>this.tell("show",e)}
      >
        ${e.move}${r?d`<span class="sign" aria-hidden="true">${ua[r]}</span><span class="visually-hidden">${r}</span>`:y}
      </button>`}};Ps.styles=[K,Y,j`
      :host {
        display: block;
      }
      .list {
        max-height: 14rem;
        overflow-y: auto;
        scrollbar-width: thin;
      }
      button.move {
        min-height: 1.8rem;
        padding: 0 0.3rem;
        border-color: transparent;
        background: none;
      }
      button.move[aria-current="true"] {
        background: var(--accent);
        color: var(--on-accent);
        font-weight: 600;
      }
      .number {
        color: var(--quiet);
        padding: 0 0.15rem 0 0.35rem;
        font-variant-numeric: tabular-nums;
      }
      .sign {
        color: var(--bad);
        font-weight: 700;
      }
      [aria-current="true"] .sign {
        color: inherit;
      }
      .variation {
        display: block;
        margin: 0 0 0.2rem 0.6rem;
        padding-left: 0.5rem;
        border-left: 2px solid var(--edge);
        color: var(--quiet);
        font-size: 0.93rem;
      }
      .roll {
        color: var(--quiet);
      }
    `],v([k({attribute:!1})],Ps.prototype,"root",2),v([k({attribute:!1})],Ps.prototype,"current",2),v([k({type:Number})],Ps.prototype,"version",2),Ps=v([I("boardgym-analyse-moves")],Ps);var ti=class extends F{constructor(){super(...arguments);this.version=0}render(){let{session:e}=this,t=e.current.line,r=t.filter(({judged:l})=>l?.mark),n=t.filter(({judged:l})=>l?.note),o=!e.isJudging&&t.every(({judged:l})=>l);return d`
      <h2>The game</h2>
      <div class="judge">
        <div>
          <label for="judge">Judged by</label>
          <input
            id="judge"
            class="mono"
            maxlength="400"
            autocomplete="off"
            spellcheck="false"
            .value=${e.judge}
            @change=${l=>e.judgePolicy=l.target.value.trim()}
          />
        </div>
        <button class="primary" @click=${()=>e.judgeLine()}>${e.isJudging?"Stop":"Find the mistakes"}</button>
      </div>
      <div role="status">
        ${e.judgeMessage?d`<p class="error">${e.judgeMessage}</p>`:y}
        ${o&&r.length===0?d`<p>No mistake was found.</p>`:y}
      </div>
      <boardgym-analyse-graph
        .nodes=${t}
        .current=${e.current}
        .seats=${e.position.game.seats}
        .version=${e.version}
        @show=${l=>{e.show(l.detail)}}
      ></boardgym-analyse-graph>
      ${r.length>0?d`<ol class="mistakes" aria-label="Mistakes">
            ${r.map(l=>d`<li>
                <button aria-current=${l===e.current?"true":y} @click=${()=>{e.show(l)}}>
                  <span class="number">${l.ply}.</span><span class="sign">${ua[l.judged.mark]}</span>
                  <span>${l.judged.words}</span>
                </button>
              </li>`)}
          </ol>`:y}
      ${n.length>0?d`<p class="quiet">Unknown at ${n.length} positions: ${n[0].judged.note}.</p>`:y}
    `}};ti.styles=[K,Y,j`
      :host {
        display: block;
      }
      .judge {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.5rem;
        align-items: end;
        margin-bottom: 0.6rem;
      }
      .judge input {
        width: 100%;
      }
      .mistakes {
        list-style: none;
        margin: 0.5rem 0 0;
        padding: 0;
      }
      .mistakes button {
        display: flex;
        width: 100%;
        justify-content: flex-start;
        align-items: baseline;
        text-align: left;
        white-space: normal;
        border: 0;
        border-top: 1px solid var(--edge);
        border-radius: 0;
        background: none;
        padding: 0.35rem 0.2rem;
      }
      .mistakes button[aria-current="true"] {
        background: var(--tint);
      }
      .number {
        color: var(--quiet);
        font-variant-numeric: tabular-nums;
      }
      .sign {
        color: var(--bad);
        font-weight: 700;
        min-width: 1.3rem;
      }
    `],v([k({attribute:!1})],ti.prototype,"session",2),v([k({type:Number})],ti.prototype,"version",2),ti=v([I("boardgym-analyse-judge")],ti);var ha=i=>ot("/analysis/position",i),Op=(i,s)=>ot(`/analysis/openings/${i}`,s),Rp=(i,s)=>ot("/analysis/openings-of-plays",{game:i,options:s}),Dp=i=>Object.entries(i).map(([s,e])=>`${s}=${e}`);async function Np(i,s,e){let t=new FormData;t.set("file",i),t.set("game",s);for(let o of Dp(e))t.append("option",o);let r=await fetch("/api/analysis/openings",{method:"POST",body:t}),n=await r.json().catch(()=>null);if(!r.ok||!n)throw new Error(n?.error??`The studio answered ${r.status}.`);return n}function ma(i,s,e,t){let r=new URLSearchParams({game:i.game,moves:i.moves.join(" "),policy:s,under:e.join(" "),plies:"1"});i.start&&r.set("start",i.start),r.set("pruning",String(t));for(let n of Dp(i.options))r.append("option",n);return Xe(`/analysis/tree?${r}`)}async function jp(i,s,e,t){let r=await fetch("/api/analysis/game",{method:"POST",headers:{"Content-Type":"application/json"},body:JSON.stringify({...i,policy:s}),signal:t});if(!r.ok||!r.body){let l=await r.json().catch(()=>null);throw new Error(l?.error??`The studio answered ${r.status}.`)}let n="",o=r.body.pipeThrough(new TextDecoderStream).getReader();for(;;){let{done:l,value:p}=await o.read();if(l)return;n+=p;let u=n.split(`

`);n=u.pop()??"";for(let b of u){if(!b.startsWith("data: "))continue;let f=JSON.parse(b.slice(6));if(f.kind==="ply"&&e(f),f.kind==="error")throw new Error(f.error)}}}var tf=1e3,Pn=class{constructor(s){this.on=s;this.wanted=new Map;this.isClosed=!1;this.timer=0;this.asked=0}ask(s){let e={...s,number:++this.asked};this.wanted.set(s.panel,e),this.send(e)}stop(s){this.wanted.delete(s)&&this.send({panel:s,stop:!0})}close(){this.isClosed=!0,clearTimeout(this.timer),this.socket?.close()}send(s){this.socket?.readyState===WebSocket.OPEN?this.socket.send(JSON.stringify(s)):this.socket||this.open()}open(){if(this.isClosed||this.socket)return;let s=new WebSocket(`${location.protocol==="https:"?"wss":"ws"}://${location.host}/api/analysis`);this.socket=s,s.onopen=()=>{for(let e of this.wanted.values())s.send(JSON.stringify(e))},s.onmessage=e=>this.take(e.data),s.onclose=()=>{this.socket=void 0,this.wanted.size>0&&(this.timer=setTimeout(()=>this.open(),tf))}}take(s){let e=JSON.parse(s);e.panel&&e.number!==this.wanted.get(e.panel)?.number||(e.panel&&(e.kind==="done"||e.kind==="error")&&this.wanted.delete(e.panel),this.on(e))}};var $t=class extends F{constructor(){super(...arguments);this.seats=[];this.palette={};this.name="";this.rows=[];this.message="";this.isBusy=!1;this.asked=0;this.of=""}get rules(){return JSON.stringify([this.place.game,this.place.options])}willUpdate(e){e.has("place")&&(this.rules!==this.of&&(this.file=void 0),this.of=this.rules,this.look())}async look(){let e=++this.asked;if(this.rows=[],this.message="",!!this.file)try{let{moves:t}=await Op(this.file.id,this.place);e===this.asked&&(this.rows=t)}catch(t){e===this.asked&&(this.message=re(t))}}async take(e,t){let{rules:r}=this;this.message="",this.isBusy=!0;try{let n=await t();if(r!==this.rules)return;this.file=n,this.name=e,this.look()}catch(n){r===this.rules&&(this.message=re(n))}finally{this.isBusy=!1}}chosen(e){let t=e.target,r=t.files?.[0],{game:n,options:o}=this.place;r&&this.take(r.name,()=>Np(r,n,o)),t.value=""}render(){let{file:e}=this;return d`
      <div class="field">
        <label for="file">A file of games</label>
        <input id="file" type="file" accept=".game,.json,.jsonl,.othello,.connect4,.mat,.wtb" ?disabled=${this.isBusy} @change=${this.chosen} />
      </div>
      <p>
        <button
          ?disabled=${this.isBusy}
          @click=${()=>this.take("the studio's games",()=>Rp(this.place.game,this.place.options))}
        >
          The studio's own games
        </button>
      </p>
      <div role="status">
        ${this.isBusy?d`<p class="quiet">Counting the games …</p>`:y}
        ${this.message?d`<p class="error">${this.message}</p>`:y}
        ${e?d`<p class="quiet">${this.summary(e)}</p>`:y}
      </div>
      ${e?this.renderMoves():y}
    `}summary({games:e,others:t,positions:r}){let n=t>0?`; ${t.toLocaleString("en")} of other games or rules left out`:"";return`${this.name}: ${e.toLocaleString("en")} games, ${r.toLocaleString("en")} positions${n}.`}renderMoves(){return this.rows.length===0?d`<p>No game of these came here.</p>`:d`<table>
      <thead>
        <tr>
          <th scope="col">Move</th>
          <th scope="col">Games</th>
          <th scope="col">Score</th>
          <th scope="col">Won by ${this.seats[0]} · drawn · won by ${this.seats.slice(1).join(", ")}</th>
        </tr>
      </thead>
      <tbody>
        ${this.rows.map(e=>d`<tr>
            <td><button @click=${()=>this.dispatchEvent(new CustomEvent("try",{detail:[e.move]}))}>${e.move}</button></td>
            <td>${e.games.toLocaleString("en")}</td>
            <td>${e.score===null?"–":`${(100*e.score).toFixed(0)} %`}</td>
            <td>${this.renderBar(e)}</td>
          </tr>`)}
      </tbody>
    </table>`}renderBar({wins:e,draws:t}){let r=e.reduce((u,b)=>u+b,t);if(r===0)return"–";let n=u=>100*u/r,o=[[e[0]??0,this.palette["piece-0"]??""],[t,""],...e.slice(1).map((u,b)=>[u,this.palette[`piece-${b+1}`]??""])],l=0,p=`${e[0]} won by ${this.seats[0]}, ${t} drawn, ${e.slice(1).join(", ")} won by ${this.seats.slice(1).join(", ")}`;return d`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${p}>
      ${o.map(([u,b])=>{let f=l;return l+=n(u),sf(f,n(u),b)})}
    </svg>`}};$t.styles=[K,Y,j`
      :host {
        display: block;
      }
      table {
        width: 100%;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }
      th {
        font-size: 0.8rem;
        color: var(--quiet);
        text-align: right;
        font-weight: 600;
      }
      th:first-child,
      td:first-child {
        text-align: left;
      }
      td {
        text-align: right;
        padding: 0.1rem 0.3rem;
        border-top: 1px solid var(--edge);
      }
      td button {
        min-height: 1.7rem;
        padding: 0 0.4rem;
        border-color: transparent;
        background: none;
        font-weight: 650;
      }
      .bar {
        width: 100%;
        min-width: 4rem;
        height: 0.7rem;
        display: block;
        border-radius: 3px;
      }
      .draw {
        fill: var(--edge);
      }
      input[type="file"] {
        padding: 0.3rem;
        width: 100%;
      }
    `],v([k({attribute:!1})],$t.prototype,"place",2),v([k({attribute:!1})],$t.prototype,"seats",2),v([k({attribute:!1})],$t.prototype,"palette",2),v([T()],$t.prototype,"file",2),v([T()],$t.prototype,"name",2),v([T()],$t.prototype,"rows",2),v([T()],$t.prototype,"message",2),v([T()],$t.prototype,"isBusy",2),$t=v([I("boardgym-analyse-openings")],$t);var sf=(i,s,e)=>ee`<rect x=${i} y="0" width=${s} height="10" fill=${e||y} class=${e?y:"draw"} stroke="gray" stroke-width="0.3" />`;var Ts={elapsed:0,isSearching:!1,isReady:!0,message:"",note:""},fa=[1,3,10,30,60,300],Fp=14,qt=class extends F{constructor(){super(...arguments);this.heading="";this.finding=Ts;this.suggestions=[];this.exact=!1;this.leavable=!1}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}change(e){this.tell("settings",e)}render(){let{finding:e,exact:t}=this;return d`
      <div class="head">
        <h2>${this.heading}</h2>
        ${e.found?d`<span class="value">${this.worthOf(e.found)}</span>`:y}
        ${e.note?y:d`<button class="toggle" aria-pressed=${e.isSearching} @click=${()=>this.tell("toggle")}>
              ${e.isSearching?"Stop":"Search"}
            </button>`}
        ${this.leavable?d`<button class="plain" aria-label="Remove this agent" @click=${()=>this.tell("leave")}>✕</button>`:y}
      </div>
      ${e.note?y:d`<p class="effort">${this.effortText()}</p>`}
      ${t?y:this.renderSettings()}
      <div role="status">
        ${e.message?d`<p class="error">${e.message}</p>`:y}
        ${e.note?d`<p class="quiet">${e.note[0].toUpperCase()}${e.note.slice(1)}.</p>`:y}
      </div>
      ${e.found?this.renderFound(e.found):y}
    `}worthOf(e){let t=e.moves[0];return this.exact&&t?pn(t):`${Gt(e.value)}${e.is_proven?" proven":""}`}effortText(){let{found:e,isSearching:t,isReady:r,elapsed:n}=this.finding;return e?nc(t&&n>e.elapsed?{...e,elapsed:n}:e):t&&!r?`getting ready · ${n.toFixed(1)} s`:t?`searching · ${n.toFixed(1)} s`:""}renderSettings(){let{settings:e}=this,t=fa.includes(e.seconds)||e.seconds===0?fa:[...fa,e.seconds];return d`<div class="fields">
      <div>
        <label for="policy">Policy</label>
        <input
          id="policy"
          class="mono"
          list="policies"
          maxlength="400"
          autocomplete="off"
          spellcheck="false"
          .value=${e.policy}
          @change=${r=>this.change({policy:r.target.value.trim()})}
        />
        <datalist id="policies">${this.suggestions.map(r=>d`<option value=${r}></option>`)}</datalist>
      </div>
      <div>
        <label for="seconds">Time</label>
        <select id="seconds" @change=${r=>this.change({seconds:Number(r.target.value)})}>
          ${t.map(r=>d`<option value=${r} .selected=${r===e.seconds}>${r} s</option>`)}
          <option value="0" .selected=${e.seconds===0}>its own</option>
        </select>
      </div>
      <div>
        <label for="lines">Lines</label>
        <select id="lines" @change=${r=>this.change({lines:Number(r.target.value)})}>
          ${[1,2,3,4,5].map(r=>d`<option value=${r} .selected=${r===e.lines}>${r}</option>`)}
        </select>
      </div>
    </div>`}renderFound(e){let t=new Set(e.lines.map(({action:n})=>n)),r=e.moves.filter(({action:n,value:o})=>!t.has(n)&&o!==null);return d`
      <ol aria-label="Lines of ${this.heading}">
        ${e.lines.map(n=>this.renderLine(n,e))}
      </ol>
      ${r.length>0?d`<p class="others">${r.map(n=>d`<span>${n.move} ${this.exact?pn(n):Gt(n.value)}</span>`)}</p>`:y}
    `}renderLine(e,t){let r=t.moves.find(({action:n})=>n===e.action);return d`<li>
      <span class="worth">${this.exact&&r?pn(r):Gt(e.value)}</span>
      <span class="moves">
        ${e.moves.slice(0,Fp).map((n,o)=>d`<button title="Show the position after ${n}" @click=${()=>this.tell("try",e.moves.slice(0,o+1))}>${n}</button>`)}
        ${e.moves.length>Fp?d`<span class="quiet">…</span>`:y}
      </span>
    </li>`}};qt.styles=[K,Y,j`
      :host {
        display: block;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 0.6rem;
        align-items: baseline;
      }
      .value {
        font-size: 1.35rem;
        font-weight: 700;
        font-variant-numeric: tabular-nums;
      }
      .effort {
        color: var(--quiet);
        font-size: 0.87rem;
        font-variant-numeric: tabular-nums;
        min-height: 1.3em;
      }
      .toggle {
        margin-left: auto;
      }
      .fields {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto auto;
        gap: 0.5rem;
        align-items: end;
      }
      .fields input,
      .fields select {
        width: 100%;
      }
      ol {
        list-style: none;
        margin: 0.5rem 0 0;
        padding: 0;
        border-top: 1px solid var(--edge);
      }
      li {
        display: flex;
        gap: 0.5rem;
        align-items: baseline;
        padding: 0.15rem 0;
        border-bottom: 1px solid var(--edge);
      }
      li .worth {
        flex: none;
        min-width: 3.2rem;
        font-weight: 650;
        font-variant-numeric: tabular-nums;
      }
      li .moves {
        display: flex;
        flex-wrap: wrap;
        min-width: 0;
      }
      li button {
        border: 0;
        background: none;
        min-height: 1.7rem;
        padding: 0 0.25rem;
      }
      li button:first-child {
        font-weight: 650;
      }
      .others {
        display: flex;
        flex-wrap: wrap;
        gap: 0.15rem 0.8rem;
        margin: 0.4rem 0 0;
        padding: 0;
        color: var(--quiet);
        font-size: 0.87rem;
        font-variant-numeric: tabular-nums;
      }
    `],v([k()],qt.prototype,"heading",2),v([k({attribute:!1})],qt.prototype,"settings",2),v([k({attribute:!1})],qt.prototype,"finding",2),v([k({attribute:!1})],qt.prototype,"suggestions",2),v([k({type:Boolean})],qt.prototype,"exact",2),v([k({type:Boolean})],qt.prototype,"leavable",2),qt=v([I("boardgym-analyse-panel")],qt);var rf={alpha:"α",beta:"β"},Lt=class extends F{constructor(){super(...arguments);this.policy="minimax:3";this.pruning=!0;this.grown={policy:"",pruning:!0};this.open=new Set;this.message="";this.isBusy=!1}willUpdate(e){e.has("place")&&(this.tree=void 0)}async grow(){let{place:e,policy:t,pruning:r}=this;this.message="",this.isBusy=!0;try{let n=await ma(e,t,[],r);e===this.place&&(this.tree=n,this.grown={policy:t,pruning:r},this.open=new Set([n.root]))}catch(n){e===this.place&&(this.message=re(n))}this.isBusy=!1}async fold(e,t){let{tree:r,grown:n,place:o}=this;if(!this.open.delete(e)){if(e.below>0)try{let{root:l}=await ma(o,n.policy,t,n.pruning);if(r!==this.tree)return;Object.assign(e,{children:l.children,below:l.below})}catch(l){r===this.tree&&(this.message=re(l));return}this.open.add(e)}this.open=new Set(this.open)}render(){return d`
      <p class="quiet">The tree of <code>minimax:DEPTH</code> or <code>uct:SIMULATIONS</code>, for small ones: up to 50,000 positions.</p>
      <form
        class="fields"
        @submit=${e=>{e.preventDefault(),this.grow()}}
      >
        <div>
          <label for="search">Search</label>
          <input
            id="search"
            class="mono"
            maxlength="100"
            autocomplete="off"
            .value=${this.policy}
            @input=${e=>this.policy=e.target.value.trim()}
          />
        </div>
        <button ?disabled=${this.isBusy}>${this.isBusy?"Growing …":"Show its tree"}</button>
        <label class="check">
          <input type="checkbox" .checked=${this.pruning} @change=${e=>this.pruning=e.target.checked} />
          alpha-beta cuts
        </label>
      </form>
      <div role="status">${this.message?d`<p class="error">${this.message}</p>`:y}</div>
      ${this.tree?this.renderTree(this.tree):y}
    `}renderTree({root:e,seat:t}){let r=e.visits===null?`for ${t}, who takes the greatest`:"for the seat that moves there";return d`
      <p class="quiet">Values are ${r}. Bold: the best line.</p>
      <ul class="tree" aria-label="Tree of the search">
        ${this.renderNode(e,[])}
      </ul>
    `}renderNode(e,t){let r=this.open.has(e),n=e.children.length+e.below,o=e.move||"here";return d`<li class="${e.is_best?"best":""} ${e.pruned?"pruned":""}">
      <div class="node">
        ${n>0?d`<button class="fold" aria-expanded=${r} aria-label="Moves after ${o}" @click=${()=>this.fold(e,t)}>
              ${r?"▾":"▸"}
            </button>`:d`<span class="fold"></span>`}
        <button class="move" title="Show the position after ${o}" @click=${()=>this.dispatchEvent(new CustomEvent("try",{detail:t}))}>
          ${o}
        </button>
        <span>${this.facts(e)}</span>
      </div>
      ${r&&e.children.length>0?d`<ul>
            ${e.children.map(l=>this.renderNode(l,[...t,l.move]))}
          </ul>`:y}
    </li>`}facts(e){if(e.pruned)return`cut off by ${rf[e.pruned]}`;let t=[Gt(e.value)];return e.proven&&e.to_play&&t.push("proven"),e.visits!==null&&t.push(`${e.visits.toLocaleString("en")} visits`),e.to_play?t.push(`${e.to_play} to move`):t.push("game over"),t.join(" · ")}};Lt.styles=[K,Y,j`
      :host {
        display: block;
      }
      ul {
        list-style: none;
        margin: 0;
        padding-left: 1.1rem;
        border-left: 1px solid var(--edge);
      }
      .tree {
        padding: 0;
        border: 0;
        overflow-x: auto;
      }
      li > .node {
        display: flex;
        gap: 0.4rem;
        align-items: baseline;
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
      }
      .node button {
        min-height: 1.7rem;
        padding: 0 0.4rem;
        border-color: transparent;
        background: none;
      }
      .fold {
        width: 1.7rem;
        color: var(--quiet);
      }
      .best > .node .move {
        font-weight: 700;
        color: var(--accent);
      }
      .pruned > .node {
        color: var(--quiet);
      }
      .fields {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.5rem;
        align-items: end;
        margin-bottom: 0.5rem;
      }
      .check {
        display: flex;
        gap: 0.4rem;
        align-items: center;
        font-weight: 400;
      }
    `],v([k({attribute:!1})],Lt.prototype,"place",2),v([T()],Lt.prototype,"policy",2),v([T()],Lt.prototype,"pruning",2),v([T()],Lt.prototype,"tree",2),v([T()],Lt.prototype,"open",2),v([T()],Lt.prototype,"message",2),v([T()],Lt.prototype,"isBusy",2),Lt=v([I("boardgym-analyse-search-tree")],Lt);var Vp=j`
  :host {
    display: block;
  }
  .room {
    display: grid;
    grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr);
    gap: 1.25rem;
    align-items: start;
  }
  .board {
    position: sticky;
    top: 1rem;
    min-width: 0;
  }
  boardgym-board {
    display: block;
    max-width: 36rem;
    margin: 0 auto;
  }
  .under {
    justify-content: center;
    margin-top: 0.6rem;
  }
  .side {
    display: flex;
    flex-direction: column;
    gap: 0.8rem;
    min-width: 0;
  }
  .tabs {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem;
  }
  .steps {
    display: grid;
    grid-template-columns: repeat(4, 1fr);
    gap: 0.4rem;
    max-width: 36rem;
    margin: 0.6rem auto 0;
  }
  .steps button {
    font-size: 1.3rem;
    line-height: 1;
  }
  .card > p:last-child {
    margin-bottom: 0;
  }
  @media (max-width: 52rem) {
    .room {
      grid-template-columns: minmax(0, 1fr);
      gap: 0.8rem;
    }
    .board {
      position: static;
    }
    .tabs button {
      padding: 0.3rem 0.5rem;
      font-size: 0.93rem;
    }
  }
`;var kr=class i{constructor(s,e){this.move=s;this.parent=e;this.children=[]}get ply(){return this.parent?this.parent.ply+1:0}get path(){return this.parent?[...this.parent.path,this]:[this]}get moves(){return this.path.slice(1).map(({move:s})=>s)}get line(){let s=this.path;for(let e=this.next??this.children[0];e;e=e.next??e.children[0])s.push(e);return s}after(s){let e=this.children.find(t=>t.move===s);return e||(e=new i(s,this),this.children.push(e)),this.next=e,e}choose(){for(let s of this.path)s.parent&&(s.parent.next=s)}forget(){let{parent:s}=this;s&&(s.children=s.children.filter(e=>e!==this),s.next===this&&(s.next=void 0))}};var nf="perfect:detail=full",of=60,af={policy:"uct",seconds:10,lines:3},lf={policy:"minimax",seconds:10,lines:3},cf="perfect(uct:2000)",pf="uct:2000",Tn=class{constructor(s){this.changed=s;this.game="ConnectFour-v0";this.options={};this.start=null;this.root=new kr("");this.current=this.root;this.message="";this.version=0;this.settings={first:{...af},second:{...lf}};this.findings={first:Ts,second:Ts,perfect:Ts};this.isOn={first:!0,second:!1,perfect:!0};this.judgePolicy="";this.isJudging=!1;this.judgeMessage="";this.searches=new Pn(s=>this.take(s));this.onBoard=this.root;this.asked=0;this.begun=0;this.searches.open()}close(){this.searches.close(),this.judging?.abort()}get place(){let{game:s,options:e,start:t}=this;return{game:s,options:e,start:t,moves:this.current.moves}}async begin(s,e,t,r,n=r.length){let o=++this.begun,l={game:s,options:e,start:t},p=new kr(""),u=p;try{let b=await ha({...l,moves:r});if(o!==this.begun)return;for(let f of b.state.moves)u=u.after(f);u.position=b}catch(b){if(o!==this.begun)return;if(this.position)return this.fail(b);this.turnTo({...l,start:null},p),await this.show(p),o===this.begun&&this.fail(b);return}this.turnTo(l,u),await this.show(u.path[Math.min(Math.max(n,0),u.ply)]??u)}turnTo(s,e){this.judging?.abort(),this.stopAll();let t=e.path[0]??e;Object.assign(this,s,{root:t,current:e,onBoard:e,position:e.position,judgeMessage:""})}async show(s){let e=++this.asked;if(s.choose(),this.current=s,this.message="",this.stopAll(),this.tell(),!s.position){try{s.position=await ha(this.place)}catch(t){return e!==this.asked?void 0:(this.onBoard.position&&await this.show(this.onBoard),this.fail(t))}if(e!==this.asked)return}this.onBoard=s,this.position=s.position,this.tell();for(let t of["perfect","first","second"])this.search(t)}async play(s){if(!this.isShown)return;let e=this.current;for(let t of s)e=e.after(t);e!==this.current&&await this.show(e)}step(s){let e=this.current.line,t=e[Math.min(Math.max(this.current.ply+s,0),e.length-1)];t&&t!==this.current&&this.show(t)}forget(s){let{parent:e}=s;s.forget(),this.tell(),e&&this.show(e)}get hasMove(){return this.position!==void 0&&this.position.state.outcome===null&&(this.position.state.to_play??-1)>=0}get isShown(){return this.position!==void 0&&this.position===this.current.position}search(s){if(!(!this.isOn[s]||!this.hasMove||!this.isShown)){if(s==="perfect"){if(!this.position?.has_solver)return;this.searches.ask({...this.place,panel:s,policy:nf,seconds:of,lines:2})}else{let{policy:e,seconds:t,lines:r}=this.settings[s];this.searches.ask({...this.place,panel:s,policy:e,seconds:t||null,lines:r})}this.findings[s]={...Ts,isSearching:!0,isReady:!1},this.tell()}}stopAll(){for(let s of["first","second","perfect"])this.searches.stop(s),this.findings[s]=Ts}toggle(s){let{isSearching:e}=this.findings[s];this.isOn[s]=!e,e?(this.searches.stop(s),this.findings[s]={...this.findings[s],isSearching:!1},this.tell()):this.search(s)}change(s,e){this.settings[s]={...this.settings[s],...e},this.isOn[s]=!0,this.search(s),this.tell()}compare(s){this.isOn.second=s,this.searches.stop("second"),this.findings.second=Ts,this.search("second"),this.tell()}take(s){if(!s.panel)return this.message=s.kind==="error"?s.error:"",this.tell();let t={...this.findings[s.panel]};s.kind==="found"?Object.assign(t,{found:s,elapsed:s.elapsed,isReady:!0,message:""}):s.kind==="pulse"?Object.assign(t,{elapsed:s.elapsed,isReady:s.is_ready}):s.kind==="nothing"?t.note=s.why:s.kind==="error"?Object.assign(t,{message:s.error,isSearching:!1}):t.isSearching=!1,this.findings[s.panel]=t,this.tell()}get judge(){return this.judgePolicy||(this.position?.has_solver?cf:pf)}async judgeLine(){if(this.judging?.abort(),this.isJudging)return this.isJudging=!1,this.tell();let s=new AbortController;this.judging=s;let e=this.current.line;for(let t of e)t.judged=void 0;this.isJudging=!0,this.judgeMessage="",this.tell();try{let t={...this.place,moves:e.slice(1).map(({move:r})=>r)};await jp(t,this.judge,r=>{let n=e[r.ply];n&&(n.judged=r),this.tell()},s.signal)}catch(t){s.signal.aborted||(this.judgeMessage=re(t))}this.judging===s&&(this.isJudging=!1),this.tell()}fail(s){this.message=re(s),this.tell()}tell(){this.version+=1,this.changed()}};function Mn(i){let s=i.composedPath()[0];return!(s instanceof HTMLInputElement||s instanceof HTMLSelectElement||s instanceof HTMLTextAreaElement||i.defaultPrevented||i.ctrlKey||i.metaKey||i.altKey)}function Ms(...i){document.title=[...i,"boardgym studio"].join(" · ")}var Hp={search:"Search",openings:"Openings",tree:"Search tree",begin:"Position"},is=class extends F{constructor(){super(...arguments);this.entries=[];this.tab="search";this.isFlipped=!1;this.message="";this.preferences=new Mt(this);this.session=new Tn(()=>this.follow());this.address="";this.onKey=e=>{if(!Mn(e))return;let t={ArrowLeft:-1,ArrowRight:1,Home:-1/0,End:1/0}[e.key];t!==void 0&&(e.preventDefault(),this.session.step(t))};this.shownPlace=this.session.place}connectedCallback(){super.connectedCallback(),addEventListener("keydown",this.onKey)}disconnectedCallback(){removeEventListener("keydown",this.onKey),this.session.close(),super.disconnectedCallback()}willUpdate(e){e.has("route")&&location.hash!==this.address&&this.load()}async load(){let{query:e}=this.route;this.message="";try{this.entries.length===0&&(this.entries=await tn());let t=mr(this.entries,e.get("game"));if(!t)throw new Error(`There is no game “${e.get("game")??""}”.`);let r={};for(let o of e.getAll("option")){let[l="",p=""]=o.split(/=(.*)/s),u=t.options[l];u&&(r[l]=fr(p,u.value))}let n=(e.get("moves")??"").split(/\s+/).filter(Boolean);await this.session.begin(t.id,r,e.get("fen"),n,Number(e.get("at")??n.length)),location.hash!==this.address&&(this.address=""),this.follow()}catch(t){this.message=re(t)}}follow(){this.requestUpdate();let{session:e}=this;if(!e.position||!this.isConnected||this.route.room!=="analyse")return;let t=e.current.line,r=new URLSearchParams({game:e.game.replace(/-v\d+$/,"")});for(let[o,l]of Object.entries(e.options))r.append("option",`${o}=${l}`);e.start&&r.set("fen",e.start),t.length>1&&r.set("moves",t.slice(1).map(({move:o})=>o).join(" ")),e.current!==t.at(-1)&&r.set("at",String(e.current.ply));let n=`#/analyse?${r}`;n!==this.address&&(this.address=n,history.replaceState(history.state,"",n),Ms("Analyse",e.position.game.title))}begin({game:e,options:t,start:r,moves:n}){this.session.begin(e,t,r,n)}show(e){this.session.show(e.detail)}play(e){let t=this.session.position?.state.actions.find(({action:r})=>r===e.detail.action)?.move;t!==void 0&&this.session.play([t])}tryMoves(e){this.session.play(e.detail)}render(){let{session:e}=this,t=this.message||e.message;return d`
      <h1 class="visually-hidden">Analyse</h1>
      <div role="alert">${t?d`<p class="error">${t}</p>`:y}</div>
      ${e.position?this.renderRoom():t?y:d`<p class="quiet">Loading …</p>`}
    `}renderRoom(){let{session:e}=this;return d`
      <div class="room">
        <section class="board" aria-label="Board">${this.renderBoard()}</section>
        <section class="side" aria-label="Analysis">
          <div class="tabs" role="group" aria-label="What to look at">
            ${Object.keys(Hp).map(t=>d`<button aria-pressed=${t===this.tab} @click=${()=>this.tab=t}>${Hp[t]}</button>`)}
          </div>
          ${this.renderTab()}
          <div class="card">
            <h2>Moves</h2>
            <boardgym-analyse-moves
              .root=${e.root}
              .current=${e.current}
              .version=${e.version}
              @show=${this.show}
              @forget=${t=>e.forget(t.detail)}
            ></boardgym-analyse-moves>
          </div>
          ${e.current.line.length>1?d`<div class="card">
                <boardgym-analyse-judge .session=${e} .version=${e.version}></boardgym-analyse-judge>
              </div>`:y}
        </section>
      </div>
    `}renderBoard(){let{session:e}=this,{position:t}=e,r=e.findings.perfect.found??e.findings.first.found;return d`
      <boardgym-board
        palette=${this.preferences.palette}
        .game=${t.game}
        .state=${t.state}
        .values=${r&&e.isShown?oc(r):{}}
        .flipped=${this.isFlipped}
        ?interactive=${e.hasMove&&e.isShown}
        @play=${this.play}
      ></boardgym-board>
      ${this.renderSteps()}
      <p class="row under">
        <button @click=${()=>this.isFlipped=!this.isFlipped}>Turn the board</button>
        <a class="button" href=${this.playAddress}>Play from here</a>
      </p>
    `}get playAddress(){let{session:e}=this,t=new URLSearchParams({game:e.game.replace(/-v\d+$/,"")});for(let[r,n]of Object.entries(e.options))t.append("option",`${r}=${n}`);return t.set("fen",e.position.state.fen),`#/play?${t}`}renderSteps(){let{session:e}=this,t=e.current.line,r=e.current.ply,n=(o,l,p,u)=>d`<button aria-label=${l} title=${l} ?disabled=${!u} @click=${()=>e.step(p)}>${o}</button>`;return d`<div class="steps" role="group" aria-label="Browse the moves">
      ${n("«","First position",-1/0,r>0)} ${n("‹","One move back",-1,r>0)}
      ${n("›","One move on",1,r<t.length-1)} ${n("»","Last position",1/0,r<t.length-1)}
    </div>`}renderTab(){let{session:e}=this;return this.tab==="search"?this.renderSearch():this.tab==="openings"?d`<div class="card">
        <boardgym-analyse-openings
          .place=${this.place}
          .seats=${e.position.game.seats}
          .palette=${e.position.game.palette}
          @try=${this.tryMoves}
        ></boardgym-analyse-openings>
      </div>`:this.tab==="tree"?d`<div class="card">
        <boardgym-analyse-search-tree .place=${this.place} @try=${this.tryMoves}></boardgym-analyse-search-tree>
      </div>`:d`<div class="card">
      <boardgym-analyse-begin
        .entries=${this.entries}
        .game=${e.game}
        .options=${e.options}
        .fen=${e.position.state.fen}
        .moves=${e.current.line.slice(1).map(({move:t})=>t)}
        .position=${e.position}
        @begin=${t=>this.begin(t.detail)}
      ></boardgym-analyse-begin>
    </div>`}get place(){let{place:e}=this.session;return JSON.stringify(e)!==JSON.stringify(this.shownPlace)&&(this.shownPlace=e),this.shownPlace}renderSearch(){let{session:e}=this,{position:t}=e;return e.hasMove?d`
      ${t.has_solver?d`<div class="card">${this.renderPanel("perfect","Perfect play")}</div>`:y}
      <div class="card">${this.renderPanel("first","Search")}</div>
      ${e.isOn.second||e.findings.second.found?d`<div class="card">${this.renderPanel("second","Another")}</div>
            ${this.renderAgreement()}`:d`<p><button @click=${()=>e.compare(!0)}>Compare with another agent</button></p>`}
    `:d`<div class="card">${t.rolls.length>0?this.renderRolls():d`<p>${t.state.status}</p>`}</div>`}renderRolls(){let{session:e}=this;return d`
      <h2>What does chance bring?</h2>
      <div class="row">${e.position.rolls.map(({move:t})=>d`<button @click=${()=>{e.play([t])}}>${t}</button>`)}</div>
    `}renderPanel(e,t){let{session:r}=this;return d`<boardgym-analyse-panel
      .heading=${t}
      .settings=${e==="perfect"?void 0:r.settings[e]}
      .finding=${r.findings[e]}
      .suggestions=${this.suggestions}
      ?exact=${e==="perfect"}
      ?leavable=${e==="second"}
      @settings=${n=>e!=="perfect"&&r.change(e,n.detail)}
      @toggle=${()=>r.toggle(e)}
      @leave=${()=>r.compare(!1)}
      @try=${this.tryMoves}
    ></boardgym-analyse-panel>`}get suggestions(){let e=this.entries.find(({id:t})=>t===this.session.game)?.policies??[];return[...new Set(["uct","minimax","puct",...e])].filter(t=>!/^(random|human)/.test(t))}renderAgreement(){let{first:e,second:t}=this.session.findings;if(!e.found||!t.found)return y;let[r,n]=[this.session.settings.first.policy,this.session.settings.second.policy],o=Gt(Math.abs(e.found.value-t.found.value)).replace("+","");return d`<p role="status">
      ${e.found.move===t.found.move?d`Both play <strong>${e.found.move}</strong>; their values differ by ${o}.`:d`${r} plays <strong>${e.found.move}</strong>, ${n} <strong>${t.found.move}</strong>; their values differ by ${o}.`}
    </p>`}};is.styles=[K,Y,Vp],v([k({attribute:!1})],is.prototype,"route",2),v([T()],is.prototype,"entries",2),v([T()],is.prototype,"tab",2),v([T()],is.prototype,"isFlipped",2),v([T()],is.prototype,"message",2),is=v([I("boardgym-analyse-room")],is);var Gp=[["No clock",0,0],["1 minute",1,0],["3 minutes + 2 seconds a move",3,2],["5 minutes",5,0],["10 minutes + 5 seconds a move",10,5],["30 minutes",30,0]],si=class extends F{change(s){this.dispatchEvent(new CustomEvent("draft",{detail:s}))}changeOption(s,e){let t=this.draft.begin==="hand"?{begin:"start",fen:""}:{};this.change({options:{...this.draft.options,[s]:e},...t})}render(){let s=cn(this.entry,this.draft.options,(t,r)=>this.changeOption(t,r)),e=Object.keys(ln(this.entry,this.draft)).length>0;return d`
      ${s.length>0?d`<details ?open=${e}>
            <summary>Rules</summary>
            <div class="fields">${s}</div>
          </details>`:y}
      <details ?open=${this.draft.minutes>0||this.draft.seed!==""}>
        <summary>Clock and seed</summary>
        <div class="fields">${this.renderClock()} ${this.renderSeed()}</div>
      </details>
    `}renderClock(){let{minutes:s,increment:e}=this.draft;return d`<div class="field">
      <label for="clock">Clock</label>
      <select
        id="clock"
        @change=${t=>{let[,r=0,n=0]=Gp[t.target.selectedIndex]??[];this.change({minutes:r,increment:n})}}
      >
        ${Gp.map(([t,r,n])=>d`<option .selected=${r===s&&n===e}>${t}</option>`)}
      </select>
    </div>`}renderSeed(){return d`<div class="field">
      <label for="seed">Seed</label>
      <input
        id="seed"
        inputmode="numeric"
        pattern="[0-9]{0,15}"
        placeholder="a fresh one"
        aria-describedby="seed-help"
        .value=${this.draft.seed}
        @change=${s=>this.change({seed:s.target.value.trim()})}
      />
      <div class="help" id="seed-help">The same seed gives the same dice and random choices.</div>
    </div>`}};si.styles=[K,Y,j`
      :host {
        display: block;
        margin: 0.8rem 0;
      }
      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr));
        gap: 0 0.8rem;
        padding-top: 0.5rem;
      }
    `],v([k({attribute:!1})],si.prototype,"entry",2),v([k({attribute:!1})],si.prototype,"draft",2),si=v([I("boardgym-play-options")],si);var rs=class extends F{constructor(){super(...arguments);this.message="";this.preferences=new Mt(this);this.opened=0;this.checked=0}change(e){this.dispatchEvent(new CustomEvent("draft",{detail:e}))}willUpdate(e){let t=e.get("draft");if(!e.has("draft"))return;!t||t.game!==this.draft.game||!df(t,this.draft)?this.load():(t.begin!==this.draft.begin||t.fen!==this.draft.fen)&&this.check()}async load(){let{game:e,options:t}=this.draft,r=++this.opened;this.checked+=1,this.message="";try{let n=await Kl(e,t);if(r!==this.opened)return;this.opening=n,await this.check()}catch(n){r===this.opened&&(this.message=re(n))}}async check(){let e=++this.checked,{game:t,options:r,begin:n,fen:o}=this.draft;if(this.message="",n!=="hand"&&(this.shown=void 0,!(n!=="fen"||!o.trim())))try{let{state:l}=await Jl({game:t,options:r,fen:o.trim()});e===this.checked&&(this.shown=l)}catch(l){e===this.checked&&(this.message=re(l))}}render(){let{begin:e,setup:t}=this.draft,r=this.entry.setups.filter(o=>o!=="standard"),n=[["start","The usual start"]];return r.length>0&&n.push(["setup","A set-up or handicap"]),n.push(["fen","A position string"]),(this.opening?.game.brush||e==="hand")&&n.push(["hand","A board set up by hand"]),d`
      <div class="begin">
        <div class="field">
          <label for="begin">Begin from</label>
          <select
            id="begin"
            @change=${o=>this.change({begin:o.target.value})}
          >
            ${n.map(([o,l])=>d`<option value=${o} .selected=${o===e}>${l}</option>`)}
          </select>
        </div>
        ${e==="setup"?d`<div class="field">
              <label for="setup">Set-up</label>
              <select id="setup" @change=${o=>this.change({setup:o.target.value})}>
                ${r.map(o=>d`<option value=${o} .selected=${o===t}>${o.replaceAll("_"," ")}</option>`)}
              </select>
              <div class="help">The board shows the usual start.</div>
            </div>`:y}
        ${e==="fen"||e==="hand"?this.renderFen():y}
      </div>
      <div role="status">${this.message?d`<p class="error">${this.message}</p>`:y}</div>
      ${this.renderBoard()}
      ${e==="fen"||e==="hand"?d`<p class="start">
            <button type="button" ?disabled=${!this.draft.fen.trim()} @click=${()=>this.dispatchEvent(new Event("start"))}>
              Start from this position
            </button>
          </p>`:y}
    `}renderFen(){return d`<div class="field">
      <label for="fen">Position string</label>
      <input
        id="fen"
        class="mono"
        maxlength="500"
        autocomplete="off"
        spellcheck="false"
        placeholder=${this.opening?.state.fen??""}
        .value=${this.draft.fen}
        @change=${e=>this.change({begin:"fen",fen:e.target.value})}
      />
    </div>`}renderBoard(){let{opening:e,draft:t}=this;return e?t.begin==="hand"&&e.game.brush?d`<boardgym-play-brush
        .game=${e.game}
        .start=${this.shown??e.state}
        .options=${t.options}
        .gameId=${t.game}
        @fen=${r=>this.change({fen:r.detail})}
      ></boardgym-play-brush>`:e.game.places.length===0?d`<p class="mono">${(this.shown??e.state).fen}</p>`:d`<boardgym-board
      palette=${this.preferences.palette}
      .game=${e.game}
      .state=${this.shown??e.state}
      .interactive=${!1}
      .showLegal=${!1}
    ></boardgym-board>`:y}};rs.styles=[K,Y,j`
      :host {
        display: block;
        min-width: 0;
      }
      .begin {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr));
        gap: 0 0.8rem;
      }
      boardgym-board {
        display: block;
        max-width: 30rem;
        margin: 0 auto;
      }
      .start {
        margin-top: 0.8rem;
        text-align: center;
      }
    `],v([k({attribute:!1})],rs.prototype,"entry",2),v([k({attribute:!1})],rs.prototype,"draft",2),v([T()],rs.prototype,"opening",2),v([T()],rs.prototype,"shown",2),v([T()],rs.prototype,"message",2),rs=v([I("boardgym-play-position")],rs);var df=(i,s)=>JSON.stringify(i.options)===JSON.stringify(s.options);var uf={random:"Plays any legal move.",greedy:"Looks one move ahead.",positional:"Looks one move ahead, for good squares.",mobility:"Looks one move ahead, for more moves than you have.",parity:"Looks one move ahead, for the last move in each region.",max_disc:"Looks one move ahead, for the most discs.",mills:"Looks one move ahead, for mills.",minimax:"Looks as many moves ahead as the number says.",maxn:"Looks as many moves ahead as the number says; each seat for itself.",expectiminimax:"Looks as many moves ahead as the number says, over all dice.",uct:"Plays as many games in its head as the number says.",puct:"Searches as often as the number says, led by what it knows of the game.",perfect:"Plays perfectly where it can tell; otherwise as the policy in brackets.",epsilon:"Plays as the policy in brackets, and now and then any legal move.",mix:"Draws one of its policies for each game."};function Bp(i){return uf[/^\w*/.exec(i.trim())?.[0]??""]??""}var hf=[["you","You"],["person","Another person"],["policy","A policy"],["agent","A trained agent"]],ms=class extends F{constructor(){super(...arguments);this.name="";this.suggestions=[];this.agents=[]}change(e){this.dispatchEvent(new CustomEvent("seat",{detail:{...this.seat,...e}}))}choose(e){e==="agent"?this.change({who:e,spec:this.agents[0]?.id??""}):this.seat.who==="agent"?this.change({who:e,spec:on(this.suggestions)}):this.change({who:e})}render(){let{who:e}=this.seat,t=hf.filter(([r])=>r!=="agent"||this.agents.length>0||e==="agent");return d`<fieldset>
      <legend>${this.name}</legend>
      <div class="choice">
        <select
          aria-label="Who plays ${this.name}"
          @change=${r=>this.choose(r.target.value)}
        >
          ${t.map(([r,n])=>d`<option value=${r} .selected=${r===e}>${n}</option>`)}
        </select>
        ${e==="policy"?this.renderSpec():e==="agent"?this.renderAgents():y}
      </div>
      ${e==="policy"?this.renderSuggestions():y}
    </fieldset>`}renderSpec(){return d`<input
      class="mono"
      aria-label="Policy that plays ${this.name}"
      aria-describedby="help"
      maxlength="200"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      .value=${this.seat.spec}
      @input=${e=>this.change({spec:e.target.value})}
    />`}renderSuggestions(){return d`<div class="help" id="help">
        ${Bp(this.seat.spec)}
      </div>
      <div class="row suggestions" role="group" aria-label="Suggested policies">
      ${this.suggestions.map(e=>d`<button type="button" class="mono" aria-pressed=${e===this.seat.spec} @click=${()=>this.change({spec:e})}>
            ${e}
          </button>`)}
    </div>`}renderAgents(){return d`<select
      aria-label="Agent that plays ${this.name}"
      @change=${e=>this.change({spec:e.target.value})}
    >
      ${this.agents.map(({id:e,name:t})=>d`<option value=${e} .selected=${e===this.seat.spec}>${t}</option>`)}
    </select>`}};ms.styles=[K,Y,j`
      :host {
        display: block;
      }
      fieldset {
        border: 0;
        padding: 0;
        margin: 0 0 0.9rem;
        min-width: 0;
      }
      legend {
        padding: 0;
        font-weight: 600;
        font-size: 0.9rem;
        margin-bottom: 0.2rem;
      }
      legend::first-letter {
        text-transform: uppercase;
      }
      .choice {
        display: grid;
        grid-template-columns: minmax(8.5rem, 11rem) minmax(0, 1fr);
        gap: 0.5rem;
      }
      .help {
        min-height: 1.3rem;
        margin-top: 0.2rem;
      }
      .suggestions {
        margin-top: 0.3rem;
        gap: 0.3rem;
      }
      .suggestions button {
        min-height: 1.9rem;
        padding: 0.1rem 0.6rem;
        font-size: 0.85rem;
      }
      @media (max-width: 26rem) {
        .choice {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `],v([k()],ms.prototype,"name",2),v([k({attribute:!1})],ms.prototype,"seat",2),v([k({attribute:!1})],ms.prototype,"suggestions",2),v([k({attribute:!1})],ms.prototype,"agents",2),ms=v([I("boardgym-play-seat")],ms);var zt=class extends F{constructor(){super(...arguments);this.entries=[];this.agents=[];this.query=new URLSearchParams;this.message="";this.isStarting=!1}get entry(){return this.entries.find(({id:e})=>e===this.draft?.game)}willUpdate(e){if(!e.has("query")&&!e.has("entries")||this.entries.length===0)return;let t=this.query.get("game"),r=mr(this.entries,t);this.message=r?"":`There is no game “${t}”. These are the games that there are.`;let n=r??mr(this.entries,null);n&&(this.draft=tc(n,this.query))}change(e){if(!this.draft)return;this.draft={...this.draft,...e},this.message="";let t=this.entry;t&&history.replaceState(null,"",rc(t,this.draft))}chooseGame(e){this.draft=an(e),this.change({})}changeSeat(e,t){this.change({seats:this.draft?.seats.map((r,n)=>n===e?t:r)})}async start(e){e.preventDefault();let{entry:t,draft:r}=this;if(!(!t||!r||this.isStarting)){if((r.begin==="fen"||r.begin==="hand")&&!r.fen.trim()){this.message="There is no position to begin from yet. Give one, or begin from the usual start.";return}this.isStarting=!0,this.message="";try{let n=await sn(await ic(t,r));location.hash=`#/play/${n.id}`}catch(n){this.message=re(n)}finally{this.isStarting=!1}}}render(){let{entry:e,draft:t}=this;return!e||!t?d`<p class="quiet">Loading the games…</p>`:d`
      <form @submit=${r=>this.start(r)}>
        <div class="card">
          <fieldset class="games">
            <legend class="label">Game</legend>
            ${this.entries.map(r=>d`<label>
                <input
                  type="radio"
                  name="game"
                  value=${r.id}
                  .checked=${r.id===t.game}
                  @change=${()=>this.chooseGame(r)}
                />${r.title}
              </label>`)}
          </fieldset>
          ${t.seats.map((r,n)=>d`<boardgym-play-seat
              .name=${e.seats[n]??`seat ${n+1}`}
              .seat=${r}
              .suggestions=${e.policies}
              .agents=${this.agents.filter(o=>o.game===e.id)}
              @seat=${o=>this.changeSeat(n,o.detail)}
            ></boardgym-play-seat>`)}
          ${this.renderSwap()}
          <boardgym-play-options
            .entry=${e}
            .draft=${t}
            @draft=${r=>this.change(r.detail)}
          ></boardgym-play-options>
          <div role="alert">${this.message?d`<p class="error">${this.message}</p>`:y}</div>
          <button class="primary start" ?disabled=${this.isStarting}>${this.isStarting?"Starting…":"Start the game"}</button>
        </div>
        <boardgym-play-position
          .entry=${e}
          .draft=${t}
          @start=${r=>this.start(r)}
          @draft=${r=>this.change(r.detail)}
        ></boardgym-play-position>
      </form>
    `}renderSwap(){let e=this.draft?.seats??[];return e.length<2?y:d`<button type="button" @click=${()=>this.change({seats:[...e.slice(1),...e.slice(0,1)]})}>
      Swap seats
    </button>`}};zt.styles=[K,Y,j`
      :host {
        display: block;
      }
      form {
        display: grid;
        grid-template-columns: minmax(20rem, 27rem) minmax(0, 1fr);
        gap: 1.25rem;
        align-items: start;
      }
      .games {
        border: 0;
        padding: 0;
        margin: 0 0 1rem;
        display: flex;
        flex-wrap: wrap;
        gap: 0.4rem;
      }
      .games legend {
        padding: 0;
        margin-bottom: 0.3rem;
      }
      .games label {
        position: relative;
        margin: 0;
        padding: 0.35rem 0.8rem;
        border: 1px solid var(--edge);
        border-radius: 99px;
        background: var(--raised);
        cursor: pointer;
        font-weight: 400;
      }
      .games label:hover {
        border-color: var(--accent);
      }
      .games label:has(:checked) {
        background: var(--accent);
        border-color: var(--accent);
        color: var(--on-accent);
        font-weight: 600;
      }
      .games label:has(:focus-visible) {
        outline: 2px solid var(--accent);
        outline-offset: 2px;
      }
      .games input {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        margin: 0;
        opacity: 0;
        cursor: pointer;
      }
      .start {
        width: 100%;
        font-size: 1.1rem;
        min-height: 3rem;
        margin-top: 0.4rem;
      }
      @media (max-width: 52rem) {
        form {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `],v([k({attribute:!1})],zt.prototype,"entries",2),v([k({attribute:!1})],zt.prototype,"agents",2),v([k({attribute:!1})],zt.prototype,"query",2),v([T()],zt.prototype,"draft",2),v([T()],zt.prototype,"message",2),v([T()],zt.prototype,"isStarting",2),zt=v([I("boardgym-play-form")],zt);var Ot=class extends F{constructor(){super(...arguments);this.busy=!1;this.shown=0;this.isResigning=!1;this.isStarting=!1;this.copied=""}get hasPerson(){return this.play.seats.some(ps)}willUpdate(e){let t=e.get("play");t&&((t.id!==this.play.id||this.play.is_over)&&(this.isResigning=!1),t.id!==this.play.id&&(this.copied=""))}async rematch(){if(this.isStarting)return;this.isStarting=!0;let{game:e,seats:t,start:r,clocks:n}=this.play,o=[...t.slice(1),...t.slice(0,1)].map(({kind:p,spec:u})=>({kind:p,spec:u})),l=n?{clock:{seconds:n.seconds,increment:n.increment}}:{};try{let p=await sn({game:e.id,options:e.options,seats:o,position:r,...l});location.hash=`#/play/${p.id}`}catch(p){this.session.say(re(p))}finally{this.isStarting=!1}}async copy(e,t){try{await navigator.clipboard.writeText(e),this.copied=`${t} copied.`}catch{this.copied="This browser does not let the page copy: select the text and copy it yourself."}}render(){let{play:e}=this;return d`
      <div class="buttons" role="group" aria-label="Game">
        ${e.is_over?this.renderAfter():this.renderDuring()} ${this.renderAlways()}
      </div>
      ${this.isResigning?this.renderResigning():y}
      ${this.renderPosition()}
    `}renderDuring(){let{play:e,session:t}=this,r=ps(e.seats[e.state.to_play??-1])&&!t.isPast;return d`
      ${this.hasPerson?d`<button ?disabled=${this.busy||e.state.moves.length===0} @click=${t.undo}>Take back</button>
            <button ?disabled=${this.busy||!r} @click=${()=>t.askHint()}>Hint</button>
            <button ?disabled=${this.busy} id="resign" @click=${()=>this.askResigning()}>Resign</button>`:d`<button class="primary" aria-pressed=${e.paused} @click=${e.paused?t.askAgain:t.pause}>
            ${e.paused?"Go on":"Pause"}
          </button>`}
    `}renderAfter(){let{session:e}=this;return d`
      <button class="primary" ?disabled=${this.isStarting} @click=${()=>this.rematch()}>Rematch</button>
      ${this.hasPerson?d`<button ?disabled=${this.busy} @click=${e.undo}>Take back</button>`:y}
    `}get query(){let{id:e,options:t}=this.play.game,r=new URLSearchParams({game:e});for(let[n,o]of Object.entries(t))r.append("option",`${n}=${o}`);return r.toString()}get analysis(){let{start:e,state:t}=this.play,r=new URLSearchParams({fen:e,moves:t.moves.join(" "),at:String(this.shown)});return`#/analyse?${this.query}&${r}`}renderAlways(){let e=this.play.seats.map(({kind:t,spec:r})=>t==="human"?t:r).join(";");return d`
      <button @click=${()=>this.dispatchEvent(new CustomEvent("flip"))}>Flip board</button>
      <a class="button" href="/api/plays/${this.play.id}/record" download>Save</a>
      ${fs.some(({path:t})=>t==="analyse")?d`<a class="button" href=${this.analysis}>Analyse</a>`:y}
      <a class="button" href="#/play?${this.query}&seats=${encodeURIComponent(e)}">New game</a>
    `}async askResigning(){let{seats:e,state:t}=this.play,r=e.flatMap((o,l)=>ps(o)?[l]:[]),n=t.to_play??-1;this.resigning=r.length===1?r[0]:r.includes(n)?n:void 0,this.isResigning=!0,await this.updateComplete,this.renderRoot.querySelector("[role=alertdialog] button")?.focus()}async playOn(){this.isResigning=!1,await this.updateComplete,this.renderRoot.querySelector("#resign")?.focus()}resign(){this.isResigning=!1,this.session.resign(this.resigning)}renderResigning(){return d`<div class="card row" role="alertdialog" aria-label="Resign?" @keydown=${t=>{t.key==="Escape"&&this.playOn()}}>
      <span>Resign this game?</span>
      <button @click=${()=>this.playOn()}>Play on</button>
      <button class="primary" @click=${()=>this.resign()}>Resign</button>
    </div>`}renderPosition(){let e=this.session.shown?.fen??"",t=`${this.query}&fen=${encodeURIComponent(e)}`;return d`<details>
      <summary>Position string</summary>
      <div class="fen">
        <input class="mono" readonly aria-label="Position string" .value=${e} @focus=${r=>r.target.select()} />
        <button @click=${()=>this.copy(e,"Position string")}>Copy</button>
      </div>
      <p class="help" role="status">${this.copied}</p>
      <p><a href="#/play?${t}">Start a game from here</a></p>
    </details>`}};Ot.styles=[K,Y,j`
      :host {
        display: grid;
        gap: 0.75rem;
      }
      .buttons {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        gap: 0.4rem;
      }
      .buttons > * {
        padding: 0.3rem;
      }
      .fen {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.4rem;
      }
    `],v([k({attribute:!1})],Ot.prototype,"play",2),v([k({attribute:!1})],Ot.prototype,"session",2),v([k({type:Boolean})],Ot.prototype,"busy",2),v([k({type:Number})],Ot.prototype,"shown",2),v([T()],Ot.prototype,"isResigning",2),v([T()],Ot.prototype,"isStarting",2),v([T()],Ot.prototype,"copied",2),Ot=v([I("boardgym-play-actions")],Ot);var Ip=j`
  :host {
    display: block;
  }
  .game {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 21rem;
    gap: 1.25rem;
    align-items: start;
  }
  .board {
    min-width: 0;
    width: min(100%, 46rem);
    justify-self: center;
  }
  boardgym-board {
    display: block;
  }
  .past {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
    background: var(--tint);
    border-radius: var(--radius);
    padding: 0.3rem 0.3rem 0.3rem 0.75rem;
    margin-top: 0.6rem;
  }
  .hint {
    background: var(--tint);
    border-radius: var(--radius);
    padding: 0.5rem 0.75rem;
    margin-top: 0.6rem;
  }
  .board .error {
    margin-top: 0.6rem;
  }
  .side {
    display: grid;
    gap: 0.75rem;
    min-width: 0;
  }
  boardgym-play-seats.card {
    padding: 0.4rem;
  }
  boardgym-play-moves.card {
    padding: 0.5rem;
    height: clamp(12rem, calc(100vh - 26rem), 26rem);
  }
  @media (max-width: 56rem) {
    .game {
      grid-template-columns: minmax(0, 1fr);
      gap: 0.75rem;
    }
    boardgym-play-moves.card {
      height: 13rem;
    }
  }
`;var mf="M3 4h2.5v12H3zM17 4v12L7 10z",ff="M15 4v12L5 10z",gf="M5 4v12l10-6z",vf="M14.5 4H17v12h-2.5zM3 4v12l10-6z";function bf(i,s){let e=[],t=s;for(let[r,n]of i.entries()){let o=n.seat>=0?n.seat:i.slice(r).find(l=>l.seat>=0)?.seat??(t+1)%s;o!==t&&(o<t&&e.push(Array.from({length:s},()=>[])),t=o),e.at(-1)?.[o]?.push(n)}return e}var As=class extends F{constructor(){super(...arguments);this.steps=[];this.seats=[];this.shown=0}go(e){this.dispatchEvent(new CustomEvent("show",{detail:e}))}updated(e){let t=e.has("steps")&&e.get("steps")?.length!==this.steps.length;if(!e.has("shown")&&!t)return;let r=this.renderRoot.querySelector(".list"),n=this.renderRoot.querySelector('[aria-current="true"]');r&&(n?_n(r,n):r.scrollTop=0)}render(){let e=this.steps.length;return d`
      <div class="list" tabindex="0" role="region" aria-label="Moves">
        ${this.steps.length===0?d`<p class="quiet">No moves yet.</p>`:this.renderTable()}
      </div>
      <div class="steps" role="group" aria-label="Browse the moves">
        ${this.renderStep(mf,"First position",0,this.shown>0)}
        ${this.renderStep(ff,"One move back",this.shown-1,this.shown>0)}
        ${this.renderStep(gf,"One move on",this.shown+1,this.shown<e)}
        ${this.renderStep(vf,"Back to the game",e,this.shown<e)}
      </div>
    `}renderStep(e,t,r,n){return d`<button aria-label=${t} title=${t} ?disabled=${!n} @click=${()=>this.go(r)}>
      <svg viewBox="0 0 20 20" width="18" height="18" fill="currentColor" aria-hidden="true"><path d=${e} /></svg>
    </button>`}renderTable(){return d`<table>
      <thead>
        <tr>
          <th class="number"><span class="visually-hidden">Round</span></th>
          ${this.seats.map(e=>d`<th scope="col">${e}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${bf(this.steps,this.seats.length).map((e,t)=>d`<tr>
            <th class="number" scope="row">${t+1}</th>
            ${e.map(r=>d`<td>${r.map(n=>this.renderMove(n))}</td>`)}
          </tr>`)}
      </tbody>
    </table>`}renderMove({index:e,seat:t,move:r}){return d`<button
      class=${t<0?"roll":y}
      aria-current=${e===this.shown?"true":y}
      @click=${()=>this.go(e)}
    >
      ${r}
    </button>`}};As.styles=[K,Y,j`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 0;
      }
      .list {
        overflow-y: auto;
        flex: 1;
        min-height: 4rem;
        scrollbar-width: thin;
      }
      table {
        width: 100%;
        border-collapse: collapse;
        table-layout: fixed;
      }
      th {
        text-align: left;
        font-size: 0.8rem;
        color: var(--quiet);
        font-weight: 600;
        padding: 0.2rem 0.4rem;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .number {
        width: 2.6rem;
        color: var(--quiet);
        font-weight: 400;
        font-variant-numeric: tabular-nums;
      }
      td {
        padding: 0;
        vertical-align: top;
      }
      td button {
        min-height: 1.8rem;
        padding: 0 0.4rem;
        border-color: transparent;
        background: none;
        max-width: 100%;
        white-space: normal;
        text-align: left;
        overflow-wrap: anywhere;
      }
      td button[aria-current="true"] {
        background: var(--accent);
        color: var(--on-accent);
        font-weight: 600;
      }
      .roll {
        color: var(--quiet);
      }
      .steps {
        display: grid;
        grid-template-columns: repeat(4, 1fr);
        gap: 0.4rem;
        padding-top: 0.5rem;
      }
      .steps button {
        padding: 0;
      }
    `],v([k({attribute:!1})],As.prototype,"steps",2),v([k({attribute:!1})],As.prototype,"seats",2),v([k({attribute:!1})],As.prototype,"shown",2),As=v([I("boardgym-play-moves")],As);var An=class{constructor(s){this.host=s;this.message="";this.isGone=!1;this.isBusy=!1;this.index=null;this.past=new Map;this.id="";this.asked=0;this.looked=0;this.wondered=0;this.move=s=>this.ask("moves",{ply:this.play?.state.ply,action:s});this.undo=()=>this.ask("undo",this.seen);this.resign=s=>this.ask("resign",{...this.seen,seat:s});this.askAgain=()=>this.ask("ask",this.seen);this.replace=(s,e)=>this.ask(`seats/${s}`,e);this.pause=()=>this.ask("pause");s.addController(this)}hostConnected(){this.id&&this.listen()}hostDisconnected(){this.stop?.(),this.stop=void 0}follow(s){s!==this.id&&(Object.assign(this,{id:s,play:void 0,message:"",hint:void 0,isGone:!1,isBusy:!1,index:null}),this.waiting=void 0,this.asked+=1,this.past.clear(),this.listen(),this.host.requestUpdate())}listen(){this.stop?.(),this.stop=_i(`/plays/${this.id}/events`,s=>this.take(s),s=>{s&&this.checkIsThere()})}async checkIsThere(){let{id:s}=this;try{this.take(await Xe(`/plays/${s}`))}catch(e){if(s!==this.id||!(e instanceof Tt)||e.status===0)return;if(e.status!==404)return this.fail(e);this.stop?.(),this.isGone=!0,this.message=e.message,this.host.requestUpdate()}}take(s){if(s.id!==this.id||this.play&&s.version<this.play.version)return;let e=this.play;this.play=s,e&&e.state.fen!==s.state.fen&&(this.hint=void 0,this.message="");let t=Up(e?.state.moves??[],s.state.moves);for(let r of this.past.keys())r>t&&this.past.delete(r);this.index!==null&&this.index>=t&&(this.index=null),this.host.requestUpdate()}get shownIndex(){return this.index??this.play?.state.moves.length??0}get isPast(){return this.index!==null}get shown(){return this.index===null?this.play?.state:this.past.get(this.index)??this.waiting??this.play?.state}async show(s){let e=this.play;if(!e)return;let{id:t,index:r}=this,{moves:n}=e.state,o=++this.looked,l=Math.max(0,Math.min(s,n.length));if(this.waiting=this.shown,this.index=l===n.length?null:l,this.message="",this.host.requestUpdate(),!(this.index===null||this.past.has(l)))try{let p=await Xe(`/plays/${t}/states/${l}`);if(t!==this.id||Up(n.slice(0,l),this.play?.state.moves??[])<l)return;this.past.set(l,p),this.host.requestUpdate()}catch(p){if(t!==this.id||o!==this.looked)return;this.index=r!==null&&this.past.has(r)?r:null,this.fail(p)}}get seen(){return{version:this.play?.version}}async askHint(){let{id:s}=this;await this.during(async()=>{let e=await ot(`/plays/${s}/hint`);s===this.id&&e.version===this.play?.version&&(this.hint=e)})}async askWhy(s){let{id:e}=this,t=this.play?.version,r=++this.wondered,n=await Xe(`/plays/${e}/why?places=${s.join(",")}`).then(({why:o})=>o,re);e===this.id&&r===this.wondered&&t===this.play?.version&&this.say(n)}say(s){this.message=s,this.host.requestUpdate()}ask(s,e={}){return this.during(async()=>this.take(await ot(`/plays/${this.id}/${s}`,e)))}async during(s){let{id:e}=this,t=++this.asked;this.isBusy=!0,this.message="",this.host.requestUpdate();try{await s()}catch(r){e===this.id&&this.fail(r)}finally{t===this.asked&&(this.isBusy=!1),this.host.requestUpdate()}}fail(s){this.say(re(s))}};function Up(i,s){let e=i.findIndex((t,r)=>t!==s[r]);return e<0?i.length:e}var yf=200,qp=20,Cs=class extends F{constructor(){super(...arguments);this.palette="";this.now=Date.now();this.timer=0}disconnectedCallback(){clearInterval(this.timer),this.timer=0,super.disconnectedCallback()}willUpdate(e){e.has("play")&&(this.now=Date.now(),clearInterval(this.timer),this.timer=(this.play.clocks?.running??null)!==null?setInterval(()=>this.now=Date.now(),yf):0)}isTurn(e){return!this.play.is_over&&this.play.state.to_play===e}secondsOf(e){let{clocks:t}=this.play,r=t?.left[e];if(!t||r===void 0)return null;let n=t.running===e?Math.max(0,this.now-t.at)/1e3:0;return Math.max(0,r-n)}render(){return d`${this.play.seats.map((e,t)=>this.renderSeat(t))}`}renderSeat(e){let{play:t}=this,r=this.secondsOf(e),n=t.state.outcome,o=`piece-${e}`,l=o in t.game.palette?new Ss(t.game,this.palette).paint(o):void 0;return d`<div class="seat ${this.isTurn(e)?"turn":""}">
      ${l?d`<svg class="colour" viewBox="0 0 20 20" aria-hidden="true">${ee`<circle cx="10" cy="10" r="9" fill=${l} />`}</svg>`:y}
      <span class="who"><span class="name">${rn(t,e)}</span> <span class="quiet">${t.game.seats[e]}</span></span>
      ${t.thinking===e?d`<span class="thinking">thinking</span>`:y}
      ${n?d`<span class="result">${$f(n.returns[e]??0)}</span>`:y}
      ${r===null?y:d`<span class="clock ${r<qp?"hurry":""}" role="timer">${wf(r)}</span>`}
    </div>`}};Cs.styles=[K,Y,j`
      :host {
        display: grid;
        gap: 0.35rem;
      }
      .seat {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        padding: 0.45rem 0.7rem;
        border: 1px solid transparent;
        border-radius: var(--radius);
        min-width: 0;
      }
      .seat.turn {
        background: var(--raised);
        border-color: var(--accent);
      }
      .colour {
        width: 1.2rem;
        height: 1.2rem;
        stroke: var(--field-edge);
        flex: none;
      }
      .who {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
        line-height: 1.25;
      }
      .name {
        font-weight: 600;
      }
      .clock {
        font-variant-numeric: tabular-nums;
        font-size: 1.25rem;
        font-weight: 600;
        padding: 0 0.4rem;
      }
      .hurry {
        color: var(--bad);
      }
      .thinking {
        color: var(--quiet);
        font-size: 0.85rem;
        white-space: nowrap;
      }
      .result {
        font-weight: 700;
        font-variant-numeric: tabular-nums;
      }
      @media (prefers-reduced-motion: no-preference) {
        .thinking::after {
          content: "…";
          animation: think 1.2s steps(2, jump-none) infinite;
        }
        @keyframes think {
          from {
            opacity: 0.2;
          }
          to {
            opacity: 1;
          }
        }
      }
    `],v([k({attribute:!1})],Cs.prototype,"play",2),v([k()],Cs.prototype,"palette",2),v([T()],Cs.prototype,"now",2),Cs=v([I("boardgym-play-seats")],Cs);function wf(i){if(i<qp)return i.toFixed(1);let s=Math.ceil(i);return`${Math.floor(s/60)}:${String(s%60).padStart(2,"0")}`}var $f=i=>i>0?`+${i}`:i<0?`−${-i}`:"0";var ii=class extends F{constructor(){super(...arguments);this.playId="";this.session=new An(this);this.preferences=new Mt(this);this.browse=e=>{if(!Mn(e))return;let t={ArrowLeft:-1,ArrowRight:1}[e.key];t!==void 0&&(e.preventDefault(),this.session.show(this.session.shownIndex+t))}}connectedCallback(){super.connectedCallback(),addEventListener("keydown",this.browse)}disconnectedCallback(){removeEventListener("keydown",this.browse),super.disconnectedCallback()}willUpdate(e){e.has("playId")&&(this.flipped=void 0,this.session.follow(this.playId))}updated(){let{play:e}=this.session;e&&Ms(`${e.game.title}: ${e.state.status}`)}render(){let{play:e,isGone:t,message:r}=this.session;return t?d`<h1 tabindex="-1">This game is not here</h1>
        <p class="error" role="alert">${r}</p>
        <p><a class="button primary" href="#/play">Start another game</a></p>`:e?d`
      <h1 class="visually-hidden">${e.game.title}</h1>
      <div class="game">
        <div class="board">${this.renderBoard(e)} ${this.renderMessages(e)}</div>
        <div class="side">
          <boardgym-play-seats class="card" .play=${e} palette=${this.preferences.palette}></boardgym-play-seats>
          <boardgym-play-moves
            class="card"
            .steps=${e.state.moves.map((n,o)=>({index:o+1,seat:e.movers[o]??0,move:n}))}
            .seats=${e.game.seats}
            .shown=${this.session.shownIndex}
            @show=${n=>this.session.show(n.detail)}
          ></boardgym-play-moves>
          <boardgym-play-actions
            .play=${e}
            .session=${this.session}
            .busy=${this.session.isBusy}
            .shown=${this.session.shownIndex}
            @flip=${()=>this.flipped=!this.isFlipped(e)}
          ></boardgym-play-actions>
        </div>
      </div>
    `:d`<p class="quiet">Loading the game…</p>`}isFlipped(e){if(this.flipped!==void 0)return this.flipped;let t=e.seats.map(ps);return t.length===2&&t[1]===!0&&t[0]===!1}renderBoard(e){let{session:t}=this,r=!e.is_over&&!t.isPast&&ps(e.seats[e.state.to_play??-1]);return d`
      <boardgym-board
        palette=${this.preferences.palette}
        .game=${e.game}
        .state=${t.shown}
        .interactive=${r}
        .showLegal=${r}
        .flipped=${this.isFlipped(e)}
        .arrows=${t.hint&&!t.isPast?[t.hint.action]:[]}
        @play=${n=>t.move(n.detail.action)}
        @refused=${n=>this.refused(n.detail)}
        @pick=${()=>this.notYours(e)}
      ></boardgym-board>
      ${t.isPast?d`<div class="past" role="status">
            <span>After ${t.shownIndex} of ${e.state.moves.length} moves.</span>
            <button @click=${()=>t.show(e.state.moves.length)}>Back to the game</button>
          </div>`:y}
    `}refused({places:e,text:t}){e.length>0?this.session.askWhy(e):this.session.say(`“${t??""}” is no legal move here.`)}notYours(e){this.session.isPast?this.session.say("This is an earlier position. Go back to the game to play on."):e.is_over?this.session.say("The game is over."):this.session.say(`It is the turn of ${rn(e,e.state.to_play??-1)}.`)}renderMessages(e){let{hint:t,message:r,isPast:n}=this.session;return d`
      <div role="alert">
        ${r?d`<p class="error">${r}</p>`:y}
        ${e.message?this.renderFailure(e,e.message):y}
      </div>
      <div role="status">${t&&!n?d`<p class="hint">Hint: <b>${t.move}</b></p>`:y}</div>
    `}renderFailure(e,t){let{session:r}=this,n=e.state.to_play??-1,o=!e.is_over&&e.seats[n]?.kind==="policy";return d`<div class="error">
      <p>${t}</p>
      ${o?d`<form class="row" @submit=${l=>this.replace(l,n)}>
            <button type="button" ?disabled=${r.isBusy} @click=${r.askAgain}>Ask it again</button>
            <button type="button" ?disabled=${r.isBusy} @click=${()=>r.replace(n,{kind:"human",spec:""})}>
              Take the seat yourself
            </button>
            <input class="mono" name="spec" value="greedy" maxlength="200" required aria-label="Another policy" />
            <button ?disabled=${r.isBusy}>Let this play</button>
          </form>`:y}
    </div>`}replace(e,t){e.preventDefault();let r=String(new FormData(e.target).get("spec")??"").trim();this.session.replace(t,{kind:"policy",spec:r})}};ii.styles=[K,Y,Ip],v([k()],ii.prototype,"playId",2),v([T()],ii.prototype,"flipped",2),ii=v([I("boardgym-play-game")],ii);var ri=class extends F{constructor(){super(...arguments);this.plays=[];this.entries=[]}render(){return this.plays.length===0?y:d`<h2>Your games</h2>
      <ul>
        ${this.plays.map(e=>this.renderPlay(e))}
      </ul>`}forget(e,t){confirm(`Delete this game of ${t}? It cannot be brought back.`)&&this.dispatchEvent(new CustomEvent("forget",{detail:e.id}))}renderPlay(e){let t=this.entries.find(({id:o})=>o===e.game)?.title??e.game,r=e.is_over?e.result:e.ply===0?"not begun":`after ${e.ply} moves`,n=e.seats.map(({kind:o,spec:l})=>o==="human"?"a person":l).join(" – ");return d`<li>
      <a href="#/play/${e.id}">
        <div class="title">${t}</div>
        <div class="seats quiet">${n}</div>
        <div class="state quiet">${r}, <time datetime=${e.changed}>${xf(e.changed)}</time></div>
      </a>
      <button
        class="plain"
        aria-label="Delete this game of ${t}"
        title="Delete"
        @click=${()=>this.forget(e,t)}
      >
        ✕
      </button>
    </li>`}};ri.styles=[K,Y,j`
      :host {
        display: block;
      }
      ul {
        list-style: none;
        margin: 0;
        padding: 0;
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
        gap: 0.6rem;
      }
      li {
        display: flex;
        align-items: stretch;
        border: 1px solid var(--edge);
        border-radius: var(--radius);
        background: var(--raised);
        min-width: 0;
      }
      li:hover {
        border-color: var(--accent);
      }
      a {
        flex: 1;
        min-width: 0;
        padding: 0.6rem 0.8rem;
        color: inherit;
        text-decoration: none;
        border-radius: var(--radius);
      }
      .title {
        font-weight: 600;
      }
      .seats,
      .state {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
    `],v([k({attribute:!1})],ri.prototype,"plays",2),v([k({attribute:!1})],ri.prototype,"entries",2),ri=v([I("boardgym-play-list")],ri);var ga=new Intl.RelativeTimeFormat("en",{numeric:"auto"});function xf(i){let s=Math.round((Date.parse(i)-Date.now())/6e4);return Number.isFinite(s)?s>-1?"just now":s>-60?ga.format(s,"minute"):s>-1440?ga.format(Math.round(s/60),"hour"):ga.format(Math.round(s/1440),"day"):""}var ns=class extends F{constructor(){super(...arguments);this.entries=[];this.agents=[];this.list=[];this.message=""}get playId(){return this.route.rest[0]??""}willUpdate(e){e.has("route")&&!this.playId&&this.load()}async load(){this.message="";try{[this.entries,this.list]=await Promise.all([this.entries.length>0?this.entries:tn(),Yl()]),this.agents=await Ql()}catch(e){this.message=re(e)}}async forget(e){try{await Ur(`/plays/${e}`),this.list=this.list.filter(t=>t.id!==e)}catch(t){this.message=re(t)}}render(){return this.playId?d`<boardgym-play-game .playId=${this.playId}></boardgym-play-game>`:d`
      <h1>Play</h1>
      <div role="alert">${this.message?d`<p class="error">${this.message}</p>`:y}</div>
      <boardgym-play-form .entries=${this.entries} .agents=${this.agents} .query=${this.route.query}></boardgym-play-form>
      <boardgym-play-list
        .plays=${this.list}
        .entries=${this.entries}
        @forget=${e=>this.forget(e.detail)}
      ></boardgym-play-list>
    `}};ns.styles=[K,Y,j`
      :host {
        display: block;
      }
      boardgym-play-list {
        margin-top: 1.75rem;
      }
    `],v([k({attribute:!1})],ns.prototype,"route",2),v([T()],ns.prototype,"entries",2),v([T()],ns.prototype,"agents",2),v([T()],ns.prototype,"list",2),v([T()],ns.prototype,"message",2),ns=v([I("boardgym-play-room")],ns);var zp='.uplot, .uplot *, .uplot *::before, .uplot *::after {box-sizing: border-box;}.uplot {font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji";line-height: 1.5;width: min-content;}.u-title {text-align: center;font-size: 18px;font-weight: bold;}.u-wrap {position: relative;user-select: none;}.u-over, .u-under {position: absolute;}.u-under {overflow: hidden;}.uplot canvas {display: block;position: relative;width: 100%;height: 100%;}.u-axis {position: absolute;}.u-legend {font-size: 14px;margin: auto;text-align: center;}.u-inline {display: block;}.u-inline * {display: inline-block;}.u-inline tr {margin-right: 16px;}.u-legend th {font-weight: 600;}.u-legend th > * {vertical-align: middle;display: inline-block;}.u-legend .u-marker {width: 1em;height: 1em;margin-right: 4px;background-clip: padding-box !important;}.u-inline.u-live th::after {content: ":";vertical-align: middle;}.u-inline:not(.u-live) .u-value {display: none;}.u-series > * {padding: 4px;}.u-series th {cursor: pointer;}.u-legend .u-off > * {opacity: 0.3;}.u-select {background: rgba(0,0,0,0.07);position: absolute;pointer-events: none;}.u-cursor-x, .u-cursor-y {position: absolute;left: 0;top: 0;pointer-events: none;will-change: transform;}.u-hz .u-cursor-x, .u-vt .u-cursor-y {height: 100%;border-right: 1px dashed #607D8B;}.u-hz .u-cursor-y, .u-vt .u-cursor-x {width: 100%;border-bottom: 1px dashed #607D8B;}.u-cursor-pt {position: absolute;top: 0;left: 0;border-radius: 50%;border: 0 solid;pointer-events: none;will-change: transform;/*this has to be !important since we set inline "background" shorthand */background-clip: padding-box !important;}.u-axis.u-off, .u-select.u-off, .u-cursor-x.u-off, .u-cursor-y.u-off, .u-cursor-pt.u-off {display: none;}';var Gi=class extends Tt{constructor(e,t){super(e,422);this.errors=t}},Wp={waiting:"waits",training:"trains",finished:"finished",stopped:"stopped",interrupted:"interrupted",failed:"failed",uploaded:"uploaded"},Sr=i=>i.state==="waiting"||i.state==="training",Er=i=>i.learner!==""&&["stopped","interrupted","failed"].includes(i.state),Kp=()=>Xe("/learners"),Yp=(i,s)=>Xe(`/learners/${encodeURIComponent(i)}?${s}`),Cn=i=>Xe(`/bots/${encodeURIComponent(i)}`),Ln=(i,s)=>ot(`/bots/${i}/${s}`),Jp=i=>ot(`/bots/${i}/snapshot`),Zp=(i,s)=>Xe(`/bots/${i}/memory?moves=${s.join(",")}`),Qp=i=>`/api/bots/${i}/agent`,Xp=i=>td("/bots",JSON.stringify(i),"application/json");function ed(i,s){let e=new URLSearchParams({name:s.slice(0,80)});return td(`/agents?${e}`,i,"application/octet-stream")}async function td(i,s,e){let t;try{t=await fetch(`/api${i}`,{method:"POST",headers:{"Content-Type":e},body:s})}catch{throw ts.set(!0),new Tt("The studio does not answer, or has refused a file of this size.",0)}let r=await t.json().catch(()=>null);if(t.ok)return r;let n=r?.error??`The studio answered ${t.status}.`;throw r?.errors?new Gi(n,r.errors):new Tt(n,t.status)}function sd(i,{spec:s,game:e,options:t,seat:r}){let n=new URLSearchParams({game:e.replace(/-v\d+$/,"")});for(let[o,l]of Object.entries(t))n.append("option",`${o}=${l}`);return n.set("seats",i.seats.map((o,l)=>l===r?s:"human").join(";")),`#/play?${n}`}var _r=i=>`${(100*i).toLocaleString(void 0,{maximumFractionDigits:1})} %`,et=i=>i.toLocaleString();var id=300,Pr="games won, drawn, lost",Sf=12,Ef=40,Ls=class extends F{constructor(){super(...arguments);this.curve={columns:[],rows:[]};this.shown="";this.drawn="";this.width=0;this.observer=new ResizeObserver(()=>this.fit());this.scheme=matchMedia("(prefers-color-scheme: dark)");this.redraw=()=>{this.drawn="",requestAnimationFrame(()=>this.draw())}}connectedCallback(){super.connectedCallback(),this.observer.observe(this),this.scheme.addEventListener("change",this.redraw),Ht.addEventListener("change",this.redraw)}disconnectedCallback(){this.observer.disconnect(),this.scheme.removeEventListener("change",this.redraw),Ht.removeEventListener("change",this.redraw),this.forget(),super.disconnectedCallback()}forget(){this.plot?.destroy(),this.plot=void 0,this.drawn=""}fit(){let e=Math.floor(this.clientWidth);e!==this.width&&(this.width=e,this.plot?.setSize({width:e,height:id}),this.plot||this.draw())}get hasGames(){return["won","drawn","lost"].every(e=>this.curve.columns.includes(e))}get choices(){let e=this.curve.columns.slice(1).filter(t=>!this.hasGames||!["won","drawn","lost"].includes(t));return this.hasGames?[Pr,...e]:e}get choice(){return this.choices.includes(this.shown)?this.shown:this.choices[0]??""}column(e){let t=this.curve.columns.indexOf(e);return this.curve.rows.map(r=>r[t]??null)}lines(){if(this.choice!==Pr)return[{name:this.choice,colour:"quality",dash:[],width:2,values:this.column(this.choice)}];let[e,t,r]=["won","drawn","lost"].map(o=>this.column(o)),n=o=>e.map((l,p)=>{let u=(e[p]??0)+(t[p]??0)+(r[p]??0);return u>0?100*o(p)/u:null});return[{name:"Quality",colour:"quality",dash:[],width:2.5,values:n(o=>(e[o]??0)+(t[o]??0))},{name:"won",colour:"won",dash:[],width:1.5,values:n(o=>e[o]??0)},{name:"drawn",colour:"drawn",dash:[3,3],width:1.5,values:n(o=>t[o]??0)},{name:"lost",colour:"lost",dash:[9,4],width:1.5,values:n(o=>r[o]??0)}]}updated(e){(e.has("curve")||e.has("shown"))&&this.draw()}draw(){if(!this.place||this.curve.rows.length===0||this.width===0){this.forget();return}let e=this.lines(),t=[this.column(this.curve.columns[0]??""),...e.map(({values:r})=>r)];if(this.plot&&this.drawn===this.choice){this.plot.setData(t);return}this.forget(),this.plot=new Be(this.options(e),t,this.place),this.drawn=this.choice}options(e){let t="12px system-ui, sans-serif",r=this.choice===Pr,n={stroke:this.resolved("axis"),font:t,grid:{stroke:this.resolved("grid"),width:1}};return{width:this.width,height:id,scales:{x:{time:!1},y:r?{range:[0,100]}:{}},axes:[{...n,label:this.curve.columns[0],labelFont:t,values:(o,l)=>l.map(p=>et(p))},{...n,size:60,values:(o,l)=>l.map(p=>`${et(p)}${r?" %":""}`)}],series:[{label:this.curve.columns[0],value:(o,l)=>l===null?"–":et(l)},...e.map(({name:o,colour:l,dash:p,width:u})=>({label:o,stroke:this.resolved(l),width:u,dash:p,points:{show:b=>(b.data[0]?.length??0)<Ef},value:(b,f)=>f===null?"–":va(f,r)}))]}}resolved(e){let t=this.renderRoot.querySelector(`.probes .${e}`);return t?getComputedStyle(t).color:"gray"}render(){let{rows:e}=this.curve;return d`<div class="probes">
        ${["quality","won","drawn","lost","axis","grid"].map(t=>d`<span class=${t}></span>`)}
      </div>
      ${this.choices.length>1?this.renderChoice():y}
      ${e.length===0?d`<p class="empty quiet">The curve begins with the first games.</p>`:d`<div class="plot" role="img" aria-label=${this.summary()}></div>
            ${this.renderPoints()}`}`}renderChoice(){return d`<div class="row">
      <label for="shown">Curve of</label>
      <select id="shown" @change=${e=>this.shown=e.target.value}>
        ${this.choices.map(e=>d`<option value=${e} ?selected=${e===this.choice}>${e}</option>`)}
      </select>
    </div>`}renderPoints(){let e=this.lines(),t=this.column(this.curve.columns[0]??""),r=Math.max(0,t.length-Sf),n=this.choice===Pr;return d`<details>
      <summary class="quiet">The last points in numbers</summary>
      <table class="points">
        <thead>
          <tr>
            <th scope="col">${this.curve.columns[0]}</th>
            ${e.map(({name:o})=>d`<th scope="col">${o}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${t.slice(r).map((o,l)=>d`<tr>
                <td>${o===null?"":et(o)}</td>
                ${e.map(({values:p})=>d`<td>${va(p[r+l]??null,n)}</td>`)}
              </tr>`)}
        </tbody>
      </table>
    </details>`}summary(){let e=this.choice===Pr,t=this.lines().map(({name:n,values:o})=>`${n} ${va(o.at(-1)??null,e)}`),r=this.curve.rows.at(-1)?.[0]??0;return`Curve over ${et(r)} ${this.curve.columns[0]}; at its end: ${t.join(", ")}`}};Ls.styles=[K,Y,Hr(zp),j`
      :host {
        display: block;
        min-width: 0;
      }
      .uplot {
        font: inherit;
      }
      .u-legend {
        font-size: 0.87rem;
        text-align: left;
      }
      .u-legend tr.u-series th,
      .u-legend tr.u-series td {
        color: var(--text);
      }
      .probes {
        display: none;
      }
      .quality {
        color: var(--accent);
      }
      .won {
        color: var(--good);
      }
      .drawn,
      .axis {
        color: var(--quiet);
      }
      .lost {
        color: var(--bad);
      }
      .grid {
        color: var(--edge);
      }
      .empty {
        min-height: 6rem;
        display: grid;
        place-content: center;
        text-align: center;
      }
      table {
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }
      .points th,
      .points td {
        text-align: right;
        padding: 0.1rem 0.7rem 0.1rem 0;
        font-weight: 400;
      }
    `],v([k({attribute:!1})],Ls.prototype,"curve",2),v([ar(".plot")],Ls.prototype,"place",2),v([T()],Ls.prototype,"shown",2),Ls=v([I("boardgym-curve")],Ls);function va(i,s){return i===null?"–":s?`${i.toFixed(1)} %`:i.toLocaleString(void 0,{maximumSignificantDigits:5})}var On=j`
  .chip {
    display: inline-block;
    border-radius: 99px;
    padding: 0.1rem 0.6rem;
    font-size: 0.85rem;
    font-weight: 600;
    background: var(--surface);
    border: 1px solid var(--edge);
    white-space: nowrap;
  }
  .chip.training {
    background: var(--tint);
    border-color: var(--accent);
    color: var(--accent);
  }
  .chip.finished {
    color: var(--good);
    border-color: var(--good);
  }
  .chip.failed {
    color: var(--bad);
    border-color: var(--bad);
    background: var(--bad-tint);
  }
  progress {
    display: block;
    width: 100%;
    height: 0.5rem;
    margin: 0.35rem 0;
    accent-color: var(--accent);
    border: 0;
    border-radius: 99px;
    overflow: hidden;
    background: var(--edge);
  }
  progress::-webkit-progress-bar {
    background: var(--edge);
  }
  progress::-webkit-progress-value {
    background: var(--accent);
  }
  progress::-moz-progress-bar {
    background: var(--accent);
  }
`,Rn=i=>d`<span class="chip ${i.state}">${Wp[i.state]}</span>`;function Dn({progress:i,name:s,state:e}){return!i||e==="uploaded"?y:d`<progress
    aria-label="How far ${s} has come"
    max=${Math.max(i.total,1)}
    value=${i.done}
  ></progress>`}function Nn({progress:i,state:s}){if(!i)return s==="training"?"starting…":"";let{done:e,total:t,unit:r,size:n}=i,o=t>e?` of ${et(t)}`:"";return`${et(e)}${o} ${r}${n?` · ${n}`:""}`}var _f=65535,Wt=class extends F{constructor(){super(...arguments);this.botId="";this.learnt=0;this.moves=[];this.shown=this.moves;this.message="";this.asked=0;this.answered=0}willUpdate(e){e.has("botId")&&(this.found=void 0,this.moves=this.shown=[]),(e.has("botId")||e.has("learnt"))&&this.look(this.moves)}async look(e){let t=++this.asked;this.moves=e;try{let r=await Zp(this.botId,e);if(e!==this.moves||t<this.answered)return;this.answered=t,this.found=r,this.shown=e,this.message=""}catch(r){if(e!==this.moves||t<this.answered)return;this.moves=this.shown,this.message=re(r)}}play(e){this.moves===this.shown&&this.look([...this.shown,e])}render(){let{found:e}=this;if(!e)return this.message?d`<p class="error">${this.message}</p>`:d`<p class="quiet">Reading its table…</p>`;let{entries:t,state:r,statistics:n}=e,o=Object.fromEntries(t.filter(({is_known:l})=>l).map(({action:l,value:p})=>[l,p]));return d`<p class="quiet">
        ${et(n.entries)} entries of ${et(n.positions)} positions; ${e.holds}. Play moves to walk through
        it.
      </p>
      ${this.message?d`<p class="error">${this.message}</p>`:y}
      <div class="both">
        <div>
          <boardgym-board
            .game=${e.game}
            .state=${r}
            .values=${o}
            ?interactive=${this.moves===this.shown}
            @play=${l=>this.play(l.detail.action)}
          ></boardgym-board>
          <div class="row">
            <button ?disabled=${this.moves.length===0} @click=${()=>this.look(this.moves.slice(0,-1))}>Back</button>
            <button ?disabled=${this.moves.length===0} @click=${()=>this.look([])}>Start</button>
          </div>
        </div>
        ${t.length>0?this.renderEntries(t):d`<p class="quiet">The game is over here.</p>`}
      </div>`}renderEntries(e){let t=Math.max(1e-9,...e.map(({value:n})=>Math.abs(n))),r=[...e].sort((n,o)=>o.value-n.value||n.action-o.action);return d`<div class="wide" tabindex="0" role="region" aria-label="Values of the moves">
      <table>
        <thead>
          <tr>
            <th scope="col">Move</th>
            <th scope="col">Value</th>
            <th scope="col"><span class="visually-hidden">Size</span></th>
            <th scope="col">Updates</th>
          </tr>
        </thead>
        <tbody>
          ${r.map(({action:n,move:o,value:l,visits:p,is_known:u,is_best:b})=>d`<tr class=${u?b?"best":"":"unknown"}>
                <td>
                  <button
                    aria-label="${o}: look at what follows"
                    @click=${()=>this.play(n)}
                  >
                    ${o}
                  </button>
                </td>
                <td>${u?l.toFixed(2):"–"}</td>
                <td class="scale">
                  <svg class="bar ${l<0?"below":""}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                    <rect width=${Math.max(100*Math.abs(l)/t,1)} height="8" rx="1"></rect>
                  </svg>
                </td>
                <td>${u?p<_f?et(p):`${et(p)} or more`:"never"}</td>
              </tr>`)}
        </tbody>
      </table>
    </div>`}};Wt.styles=[K,Y,j`
      :host {
        display: block;
      }
      .both {
        display: grid;
        grid-template-columns: minmax(0, 22rem) minmax(0, 1fr);
        gap: 1rem 1.5rem;
        align-items: start;
      }
      .wide {
        overflow: auto;
        max-height: 26rem;
      }
      table {
        border-collapse: collapse;
        width: 100%;
        font-variant-numeric: tabular-nums;
      }
      th,
      td {
        text-align: right;
        padding: 0.15rem 0.5rem;
        border-bottom: 1px solid var(--edge);
        font-weight: 400;
      }
      th:first-child,
      td:first-child {
        text-align: left;
        padding-left: 0;
      }
      td button {
        min-height: 1.9rem;
        padding: 0 0.6rem;
      }
      .best {
        font-weight: 700;
      }
      .unknown {
        color: var(--quiet);
      }
      .scale {
        width: 40%;
        min-width: 5rem;
      }
      .bar {
        display: block;
        width: 100%;
        height: 0.7rem;
        fill: var(--accent);
      }
      .bar.below {
        fill: var(--bad);
      }
      @media (max-width: 46rem) {
        .both {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `],v([k({attribute:!1})],Wt.prototype,"botId",2),v([k({attribute:!1})],Wt.prototype,"learnt",2),v([T()],Wt.prototype,"found",2),v([T()],Wt.prototype,"moves",2),v([T()],Wt.prototype,"shown",2),v([T()],Wt.prototype,"message",2),Wt=v([I("boardgym-memory")],Wt);var Pf={random:"Random: both play at random",clone:"Clone: it plays against itself",base:"Base: fixed replies"},Bi=class extends F{render(){let{trials:s,progress:e,has_agent:t,seats:r}=this.bot,n=s.seats.length>0&&(e?.done??0)>s.done;return d`${s.seats.map(({seat:o,verdict:l,figures:p})=>d`${l?d`<p class="verdict ${l}">${l}</p>`:y}
          ${this.renderTable(r[o]??`seat ${o+1}`,p)}`)}
      ${s.seats.length>0?d`<p class="help">${s.rule}</p>`:y}
      ${n?d`<p class="quiet">These are of the bot after ${et(s.done)}; it has learnt more since.</p>`:y}
      <div role="status">
        ${s.state==="running"?d`<p>The trials are under way…</p>`:y}
        ${s.state==="failed"?d`<p class="error">The trials failed: ${s.message}</p>`:y}
      </div>
      ${s.state==="running"?y:d`<button ?disabled=${!t} @click=${()=>this.dispatchEvent(new CustomEvent("try"))}>
            ${s.seats.length>0?"Try it again":"Try it: random, clone and base test"}
          </button>`}`}renderTable(s,e){return d`<div class="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">As ${s}</th>
            <th scope="col">won</th>
            <th scope="col">drawn</th>
            <th scope="col">lost</th>
            <th scope="col">quality</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({name:t,won:r,drawn:n,lost:o,quality:l})=>d`<tr>
                <th scope="row">${Pf[t]??t}</th>
                <td>${_r(r)}</td>
                <td>${_r(n)}</td>
                <td>${_r(o)}</td>
                <td><strong>${_r(l)}</strong></td>
              </tr>`)}
        </tbody>
      </table>
    </div>`}};Bi.styles=[K,Y,j`
      :host {
        display: block;
      }
      .verdict {
        font-size: 1.6rem;
        font-weight: 700;
        line-height: 1.2;
      }
      .Invincible,
      .Strong {
        color: var(--good);
      }
      .Weak {
        color: var(--bad);
      }
      .wide {
        overflow-x: auto;
        margin-bottom: 0.6rem;
      }
      table {
        border-collapse: collapse;
        width: 100%;
        font-variant-numeric: tabular-nums;
      }
      th,
      td {
        text-align: right;
        padding: 0.3rem 0 0.3rem 0.5rem;
        border-bottom: 1px solid var(--edge);
        font-weight: 400;
        white-space: nowrap;
      }
      th:first-child {
        text-align: left;
        padding-left: 0;
        white-space: normal;
        min-width: 5.5rem;
      }
      @media (max-width: 32rem) {
        table {
          font-size: 0.87rem;
        }
      }
      thead th {
        color: var(--quiet);
        font-size: 0.87rem;
      }
    `],v([k({attribute:!1})],Bi.prototype,"bot",2),Bi=v([I("boardgym-trials")],Bi);var gs=class extends F{constructor(){super(...arguments);this.botId="";this.message="";this.isSure=!1}willUpdate(e){e.has("botId")&&this.follow()}disconnectedCallback(){this.end?.(),super.disconnectedCallback()}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.follow()}async follow(){this.end?.();let e=this.botId;Object.assign(this,{page:void 0,message:"",isSure:!1});try{this.page=await Cn(e)}catch(t){this.message=re(t);return}!this.isConnected||e!==this.botId||(Ms(this.page.bot.name,"Train"),this.end=_i(`/bots/${encodeURIComponent(e)}/events`,t=>this.page=t))}async tell(e){this.message="",await Ln(this.botId,e).catch(t=>this.message=re(t))}async play(){this.message="";try{this.page&&(location.hash=sd(this.page.bot,await Jp(this.botId)))}catch(e){this.message=re(e)}}async forget(){if(!this.isSure){this.isSure=!0;return}this.end?.();try{await Ur(`/bots/${this.botId}`),location.hash="#/train"}catch(e){this.message=re(e),await this.follow()}}render(){let e=d`<p class="quiet"><a href="#/train">All bots</a></p>`,t=d`<div role="alert">${this.message?d`<p class="error">${this.message}</p>`:y}</div>`;if(!this.page)return d`${e}${t}${this.message?y:d`<p class="quiet">Loading the bot…</p>`}`;let{bot:r,curve:n,log:o}=this.page;return d`${e}
      <div class="title"><h1 tabindex="-1">${r.name}</h1>${Rn(r)}<span class="quiet">${r.title}</span></div>
      ${r.description?d`<p>${r.description}</p>`:y} ${Dn(r)}
      <p class="quiet" role="status">${[Nn(r),r.message].filter(l=>l).join(" — ")}</p>
      ${t}${this.renderButtons()}
      ${r.learner?d`<section class="card" aria-labelledby="curve">
            <h2 id="curve">Training curve</h2>
            <boardgym-curve .curve=${n}></boardgym-curve>
          </section>`:y}
      <div class="two">
        <section class="card" aria-labelledby="trials">
          <h2 id="trials">Trials</h2>
          <boardgym-trials .bot=${r} @try=${()=>this.tell("trials")}></boardgym-trials>
        </section>
        <section class="card" aria-labelledby="made">
          <h2 id="made">How it was made</h2>
          ${this.renderMade(o)}
        </section>
      </div>
      ${r.has_memory?d`<section class="card" aria-labelledby="memory">
            <h2 id="memory">Memory</h2>
            <boardgym-memory .botId=${r.id} .learnt=${r.progress?.done??0}></boardgym-memory>
          </section>`:y}`}renderButtons(){let e=this.page?.bot;return e?d`<div class="row buttons">
      ${Sr(e)?d`<button @click=${()=>this.tell("stop")}>Stop</button>`:y}
      ${Er(e)?d`<button class="primary" @click=${()=>this.tell("resume")}>Go on</button>`:y}
      ${e.has_agent?d`<button class=${Er(e)?"":"primary"} @click=${()=>this.play()}>Play against it</button>
            <a class="button" href=${Qp(e.id)} download>Download its memory</a>`:y}
      ${e.form?d`<a class="button" href="#/train/new?like=${e.id}">Make one like it</a>`:y}
      <button class="danger" @click=${()=>this.forget()} @blur=${()=>this.isSure=!1}>
        ${this.isSure?"Yes, delete all that it has learnt":"Delete"}
      </button>
    </div>`:y}renderMade(e){let t=this.page?.bot;if(!t?.learner)return d`<p>Its file was uploaded: ${t?.message.replace(/^uploaded: /,"")}.</p>`;let r=Object.entries(t.given);return d`<p class="quiet">The same on the command line:</p>
      <pre><code>${t.command}</code></pre>
      ${r.length>0?d`<dl>
            ${r.map(([n,o])=>d`<dt class="quiet">${n}</dt><dd>${o===null?"empty":Array.isArray(o)?o.join(" "):String(o)}</dd>`)}
          </dl>`:y}
      ${e?d`<details>
            <summary class="quiet">What its process said</summary>
            <pre tabindex="0">${e}</pre>
          </details>`:y}`}};gs.styles=[K,Y,On,j`
      :host {
        display: block;
      }
      .title {
        display: flex;
        flex-wrap: wrap;
        gap: 0.3rem 0.8rem;
        align-items: center;
      }
      .title h1 {
        margin: 0;
        overflow-wrap: anywhere;
        min-width: 0;
      }
      .buttons {
        margin: 0.8rem 0 1.2rem;
      }
      .card {
        margin-bottom: 1rem;
      }
      .two {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr));
        gap: 0 1rem;
        align-items: start;
      }
      pre {
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        max-height: 16rem;
        overflow: auto;
        margin: 0.3rem 0;
        font-size: 0.82rem;
      }
      dl {
        display: grid;
        grid-template-columns: max-content minmax(0, 1fr);
        gap: 0.1rem 1rem;
        margin: 0.3rem 0;
      }
      dd {
        margin: 0;
        overflow-wrap: anywhere;
      }
      .danger {
        color: var(--bad);
        margin-left: auto;
      }
      @media (max-width: 32rem) {
        .buttons > * {
          flex: 1 1 auto;
        }
      }
    `],v([k({attribute:!1})],gs.prototype,"botId",2),v([T()],gs.prototype,"page",2),v([T()],gs.prototype,"message",2),v([T()],gs.prototype,"isSure",2),gs=v([I("boardgym-bot")],gs);var Tf=12,rd=({label:i,name:s})=>i||od(s.replaceAll("_"," ")),od=i=>i.charAt(0).toUpperCase()+i.slice(1);function ad(i,s,e,t){let r=`field-${i.name}`,n=`${r}-help${e?` ${r}-error`:""}`;return d`<div class="field" ?data-wrong=${e!==""}>
    ${i.kind==="flag"&&!i.is_optional?d`<label class="check" for=${r}>${nd(i,s,e,t,r,n)} ${rd(i)}</label>`:d`<label for=${r}>${rd(i)}</label>${nd(i,s,e,t,r,n)}`}
    ${e?d`<p class="wrong" id="${r}-error">${e}</p>`:y}
    <p class="help" id="${r}-help">${od(i.help)}</p>
  </div>`}function nd(i,s,e,t,r,n){let o=e?"true":"false",l=u=>u.target.value;if(i.kind==="flag"&&!i.is_optional)return d`<input
      id=${r}
      type="checkbox"
      aria-describedby=${n}
      aria-invalid=${o}
      .checked=${s===!0}
      @change=${u=>t(u.target.checked)}
    />`;if(i.kind==="flag"||i.kind==="choice"){let u=i.kind==="flag"?["true","false"]:i.choices,b=i.kind==="flag"?["yes","no"]:i.labels,f=$=>$===""?null:i.kind==="flag"?$==="true":$;return d`<select
      id=${r}
      aria-describedby=${n}
      aria-invalid=${o}
      @change=${$=>t(f(l($)))}
    >
      ${i.is_optional?d`<option value="" ?selected=${s===null}>the learner decides</option>`:y}
      ${u.map(($,P)=>d`<option value=${$} ?selected=${String(s)===$}>${b[P]??$}</option>`)}
    </select>`}if(i.kind==="list"&&i.item==="text")return d`<textarea
      id=${r}
      rows="2"
      aria-describedby=${n}
      aria-invalid=${o}
      placeholder=${s===null?"the learner decides":"one a line"}
      .value=${Array.isArray(s)?s.join(`
`):""}
      @change=${u=>t(ld(l(u).split(`
`),i))}
    ></textarea>`;let p=i.kind==="int"||i.kind==="float";return d`<input
      id=${r}
      type="text"
      size=${p?Tf:30}
      inputmode=${p?"decimal":"text"}
      autocomplete="off"
      spellcheck="false"
      list=${i.choices.length>0?`${r}-choices`:y}
      aria-describedby=${n}
      aria-invalid=${o}
      placeholder=${s===null&&i.is_optional?"the learner decides":""}
      .value=${Mf(s)}
      @change=${u=>t(Af(l(u),i))}
    />${i.choices.length>0?d`<datalist id="${r}-choices">${i.choices.map(u=>d`<option value=${u}></option>`)}</datalist>`:y}`}var Mf=i=>i===null?"":Array.isArray(i)?i.join(" "):String(i);function Af(i,s){let e=i.trim();return e===""&&s.is_optional?null:s.kind==="list"?ld(e.split(/[\s,]+/),s):s.kind==="int"||s.kind==="float"?cd(e):e}function ld(i,s){let e=i.map(t=>t.trim()).filter(t=>t!=="");return e.length===0&&s.is_optional?null:s.item==="text"?e:e.map(cd)}var cd=i=>i!==""&&Number.isFinite(Number(i))?Number(i):i;var pd="create-bot",Cf=["Game","Opponent","Length","Bot","Algorithm","Memory"],dd=["Alexander","Capablanca","Judit","Vera","Tal","Menchik","Botvinnik","Polgar"],Rt=class extends F{constructor(){super(...arguments);this.query=new URLSearchParams;this.entries=[];this.given={};this.errors={};this.message="";this.isBusy=!1;this.wanted="";this.asked=0;this.botName=dd[Math.floor(Math.random()*dd.length)]??"Bot";this.description=""}willUpdate(e){e.has("query")&&this.begin()}async begin(){let e=++this.asked;try{if(this.entries.length===0&&(this.entries=await Kp()),e!==this.asked)return;let t=this.query.get("like");if(t){let{bot:r}=await Cn(t);if(e!==this.asked)return;this.botName=r.name,this.description=r.description,await this.choose(r.form||pd,r.given)}else await this.choose(this.query.get("form")??pd,{})}catch(t){e===this.asked&&(this.message=re(t))}}async choose(e,t,r=!1){let n=++this.asked;this.wanted=e,this.message="";try{let o=new URLSearchParams;for(let p of["game","preset"])t[p]&&o.set(p,String(t[p]));let l=await Yp(e,o);if(n!==this.asked)return;this.form=l,r||Object.assign(this,{given:t,errors:{}})}catch(o){if(n!==this.asked)return;this.wanted=this.form?.name??"",o instanceof Gi&&(this.errors=o.errors),this.message=re(o)}}async change(e,t){let r={...this.given,[e.name]:t};Lf(t,e.default)&&!e.redraws&&delete r[e.name],this.given=r;let{[e.name]:n,...o}=this.errors;this.errors=o,e.redraws&&this.form?.name===this.wanted&&await this.choose(this.wanted,r,!0)}async make(e){if(e.preventDefault(),!(!this.form||this.isBusy)){this.isBusy=!0,this.errors={},this.message="";try{let t=await Xp({name:this.botName.trim()||"Bot",description:this.description,form:this.form.name,given:this.given});location.hash=`#/train/${t.id}`}catch(t){this.errors=t instanceof Gi?t.errors:{};let r=Object.keys(this.errors).filter(n=>n!=="");this.message=this.errors[""]??(r.length>0?"The marked fields cannot stay as they are.":re(t)),await this.updateComplete,this.renderRoot.querySelector("[aria-invalid=true]")?.focus()}finally{this.isBusy=!1}}}render(){let{form:e}=this;return d`<form novalidate @submit=${t=>this.make(t)}>
      <div class="card grid">
        <div class="field">
          <label for="learner">Learner</label>
          <select id="learner" @change=${t=>this.choose(t.target.value,{})}>
            ${this.entries.map(({name:t,title:r})=>d`<option value=${t} ?selected=${t===e?.name}>${r}</option>`)}
          </select>
          <p class="help">${this.entries.find(({name:t})=>t===e?.name)?.help}</p>
        </div>
        <div class="field">
          <label for="name">Name</label>
          <input
            id="name"
            maxlength="80"
            autocomplete="off"
            .value=${this.botName}
            @input=${t=>this.botName=t.target.value}
          />
        </div>
        <div class="field">
          <label for="description">Description</label>
          <textarea
            id="description"
            rows="2"
            maxlength="2000"
            .value=${this.description}
            @input=${t=>this.description=t.target.value}
          ></textarea>
        </div>
      </div>
      ${e?this.renderGroups(e):y}
      <div role="alert">${this.message?d`<p class="error">${this.message}</p>`:y}</div>
      <button class="primary make" ?disabled=${this.isBusy||!e}>${this.isBusy?"Checking…":"Create and train"}</button>
    </form>`}renderGroups(e){let t=[...new Set(e.fields.map(({group:r})=>r))];return d`${t.map(r=>this.renderGroup(e,r))}
      ${e.notes.length>0?d`<ul class="notes quiet">
            ${e.notes.map(r=>d`<li>${r}</li>`)}
          </ul>`:y}`}renderGroup(e,t){let r=e.fields.filter(o=>o.group===t),n=Cf.includes(t)||r.some(({name:o})=>o in this.errors||o in this.given);return d`<div class="card">
      <details ?open=${n}>
        <summary><h2>${t}</h2></summary>
        <fieldset class="grid" aria-label=${t}>
          ${r.map(o=>ad(o,Of(o,this.given),this.errors[o.name]??"",l=>this.change(o,l)))}
        </fieldset>
      </details>
    </div>`}};Rt.styles=[K,Y,j`
      :host {
        display: block;
      }
      form {
        max-width: 62rem;
      }
      .grid {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
        gap: 0.25rem 1.25rem;
        align-items: start;
      }
      fieldset {
        border: 0;
        padding: 0;
        margin: 0;
        min-width: 0;
      }
      .card {
        margin-bottom: 1rem;
      }
      .card > h2,
      summary h2 {
        display: inline-block;
        margin: 0 0 0.6rem;
      }
      details:not([open]) summary h2 {
        margin: 0;
      }
      .check {
        display: flex;
        gap: 0.5rem;
        align-items: center;
        min-height: 2.4rem;
      }
      .help {
        margin: 0.25rem 0 0;
      }
      .wrong {
        color: var(--bad);
        margin: 0.25rem 0 0;
        overflow-wrap: anywhere;
      }
      [data-wrong] input,
      [data-wrong] select,
      [data-wrong] textarea {
        border-color: var(--bad);
      }
      .make {
        min-height: 3rem;
        font-size: 1.1rem;
        padding: 0.3rem 2rem;
      }
      .notes {
        margin: 0 0 1rem;
        padding-left: 1.2rem;
      }
    `],v([k({attribute:!1})],Rt.prototype,"query",2),v([T()],Rt.prototype,"entries",2),v([T()],Rt.prototype,"form",2),v([T()],Rt.prototype,"given",2),v([T()],Rt.prototype,"errors",2),v([T()],Rt.prototype,"message",2),v([T()],Rt.prototype,"isBusy",2),Rt=v([I("boardgym-bot-form")],Rt);var Lf=(i,s)=>JSON.stringify(i)===JSON.stringify(s),Of=(i,s)=>i.name in s?s[i.name]??null:i.default;var Os=class extends F{constructor(){super(...arguments);this.message="";this.isUploading=!1}connectedCallback(){super.connectedCallback(),this.end=_i("/bots/events",e=>this.list=e)}disconnectedCallback(){this.end?.(),super.disconnectedCallback()}async tell(e,t){this.message="",await Ln(e,t).catch(r=>this.message=re(r))}async setLimit(e){let t=e.target;this.message="",await lr("PUT","/bots/limit",{limit:t.valueAsNumber}).catch(r=>{this.message=re(r),t.value=String(this.list?.limit??1)})}async upload(e){let t=e.target,r=t.files?.[0];if(t.value="",!!r){this.isUploading=!0,this.message="";try{let n=await ed(r,r.name.replace(/\.safetensors$/,"")||"agent");location.hash=`#/train/${n.id}`}catch(n){this.message=re(n)}finally{this.isUploading=!1}}}render(){let{list:e}=this;return d`<div class="row head">
        <h1>Train</h1>
        <a class="button primary" href="#/train/new">New bot</a>
      </div>
      <div role="alert">${this.message?d`<p class="error">${this.message}</p>`:y}</div>
      ${e===void 0?d`<p class="quiet">Loading the bots…</p>`:this.renderBots(e.bots)}
      ${e?this.renderBelow(e):y}`}renderBots(e){return e.length===0?d`<div class="card empty">
        <p>A bot learns a game by playing it: tic-tac-toe takes seconds.</p>
        <p class="quiet">Watch its curve, play against it while it trains, look into what it remembers.</p>
        <a class="button primary" href="#/train/new">Make the first bot</a>
      </div>`:d`<ul>
      ${e.map(t=>this.renderBot(t))}
    </ul>`}renderBot(e){let t=[...new Set(e.trials.seats.map(({verdict:r})=>r).filter(r=>r))];return d`<li>
      <div class="title"><a href="#/train/${e.id}">${e.name}</a>${Rn(e)}</div>
      <div class="quiet">
        ${e.title}${e.learner?` · ${e.learner}`:""}${t.length>0?` · ${t.join(", ")}`:""}
      </div>
      ${Dn(e)}
      <div class="quiet said">${Nn(e)}</div>
      ${e.state==="failed"?d`<div class="quiet said">${e.message}</div>`:y}
      ${Sr(e)||Er(e)?d`<div class="row">
            ${Sr(e)?d`<button aria-label="Stop ${e.name}" @click=${()=>this.tell(e.id,"stop")}>Stop</button>`:d`<button aria-label="Go on with ${e.name}" @click=${()=>this.tell(e.id,"resume")}>Go on</button>`}
          </div>`:y}
    </li>`}renderBelow(e){return d`<div class="below">
      <div>
        <label for="limit">Bots that train at once</label>
        <input
          id="limit"
          type="number"
          min="1"
          max="64"
          .value=${String(e.limit)}
          @change=${t=>this.setLimit(t)}
        />
      </div>
      <div>
        <label class="button">
          ${this.isUploading?"Checking the file…":"Upload an agent’s file"}
          <input
            class="visually-hidden"
            type="file"
            accept=".safetensors"
            ?disabled=${this.isUploading}
            @change=${t=>this.upload(t)}
          />
        </label>
        <p class="help">A bot’s memory from another studio, or agent.safetensors of boardgym train. Nothing in it is executed.</p>
      </div>
    </div>`}};Os.styles=[K,Y,On,j`
      :host {
        display: block;
      }
      .head {
        justify-content: space-between;
        margin-bottom: 1rem;
      }
      .head h1 {
        margin: 0;
      }
      ul {
        list-style: none;
        margin: 0 0 1.5rem;
        padding: 0;
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr));
        gap: 0.75rem;
      }
      li {
        border: 1px solid var(--edge);
        border-radius: 12px;
        background: var(--raised);
        padding: 0.8rem 1rem;
        min-width: 0;
        display: flex;
        flex-direction: column;
      }
      li:hover {
        border-color: var(--accent);
      }
      .title {
        display: flex;
        justify-content: space-between;
        gap: 0.5rem;
        align-items: baseline;
      }
      .title a {
        font-weight: 600;
        font-size: 1.05rem;
        color: inherit;
        text-decoration: none;
        overflow: hidden;
        text-overflow: ellipsis;
        min-width: 0;
      }
      .title a:hover {
        text-decoration: underline;
      }
      .said {
        overflow-wrap: anywhere;
      }
      li .row {
        margin-top: auto;
        padding-top: 0.4rem;
      }
      .empty {
        text-align: center;
        padding: 2.5rem 1rem;
        margin-bottom: 1.5rem;
      }
      .below {
        display: flex;
        flex-wrap: wrap;
        gap: 1rem 2rem;
        align-items: flex-end;
      }
      .below input[type="number"] {
        width: 5rem;
      }
      label.button {
        font-weight: 400;
        font-size: inherit;
        margin: 0;
      }
      label.button:focus-within {
        outline: 2px solid var(--accent);
        outline-offset: 2px;
      }
    `],v([T()],Os.prototype,"list",2),v([T()],Os.prototype,"message",2),v([T()],Os.prototype,"isUploading",2),Os=v([I("boardgym-bot-list")],Os);var Rf="new",Ii=class extends F{render(){let s=this.route.rest[0]??"";return s===Rf?d`<p class="quiet"><a href="#/train">All bots</a></p>
        <h1>New bot</h1>
        <boardgym-bot-form .query=${this.route.query}></boardgym-bot-form>`:s?d`<boardgym-bot .botId=${s}></boardgym-bot>`:d`<boardgym-bot-list></boardgym-bot-list>`}};Ii.styles=[K,Y,j`
      :host {
        display: block;
      }
    `],v([k({attribute:!1})],Ii.prototype,"route",2),Ii=v([I("boardgym-train-room")],Ii);var fs=[{path:"play",title:"Play",draw:i=>d`<boardgym-play-room .route=${i}></boardgym-play-room>`},{path:"analyse",title:"Analyse",draw:i=>d`<boardgym-analyse-room .route=${i}></boardgym-analyse-room>`},{path:"train",title:"Train",draw:i=>d`<boardgym-train-room .route=${i}></boardgym-train-room>`}];function ba(i){let[s="",e=""]=i.replace(/^#\/?/,"").split(/\?(.*)/s),[t="",...r]=s.split("/").map(Df);return{room:t||(fs[0]?.path??""),rest:r,query:new URLSearchParams(e)}}function Df(i){try{return decodeURIComponent(i)}catch{return i}}var ud=i=>d`
  <h1 tabindex="-1">Nothing here</h1>
  <p>There is no room “${i.room}”. <a href="#/${fs[0]?.path??""}">Go to the first room.</a></p>
`;var Nf={system:"As the system",light:"Light",dark:"Dark"},Ui=class extends F{constructor(){super();this.route=ba(location.hash);this.connectionChanged=()=>this.requestUpdate();this.follow=()=>{let e=this.route;this.route=ba(location.hash),hd(e)!==hd(this.route)&&this.updateComplete.then(()=>this.focusRoom())};this.closeDisplay=e=>{let t=this.renderRoot.querySelector("details");t?.open&&!e.composedPath().includes(t)&&(t.open=!1)};new Mt(this)}connectedCallback(){super.connectedCallback(),addEventListener("hashchange",this.follow),ts.addEventListener("change",this.connectionChanged),addEventListener("pointerdown",this.closeDisplay)}disconnectedCallback(){removeEventListener("hashchange",this.follow),ts.removeEventListener("change",this.connectionChanged),removeEventListener("pointerdown",this.closeDisplay),super.disconnectedCallback()}focusRoom(e){e?.preventDefault(),scrollTo(0,0),this.renderRoot.querySelector("main")?.focus({preventScroll:!0})}updated(e){e.has("route")&&Ms(fs.find(({path:t})=>t===this.route.room)?.title??"Nothing here")}render(){let e=fs.find(({path:t})=>t===this.route.room);return d`
      <a class="skip button primary" href="#main" @click=${t=>this.focusRoom(t)}>Skip to the room</a>
      <header>
        <a class="name" href="#/${fs[0]?.path??""}" aria-label="boardgym studio, first room">
          <img src="/static/icon.svg" alt="" width="26" height="26" /><span>boardgym</span>
        </a>
        <nav aria-label="Rooms">
          ${fs.map(({path:t,title:r})=>d`<a href="#/${t}" aria-current=${t===this.route.room?"page":"false"}>${r}</a>`)}
        </nav>
        ${this.renderDisplay()}
      </header>
      <div role="status">
        ${ts.isLost?d`<div class="lost">
              The studio does not answer: is <code>boardgym studio</code> still running? This page goes on as soon as it is back.
            </div>`:y}
      </div>
      <main id="main" tabindex="-1" aria-label=${e?.title??"Nothing here"}>
        ${e?e.draw(this.route):ud(this.route)}
      </main>
    `}renderDisplay(){return d`<details
      class="display"
      @keydown=${e=>{let t=e.currentTarget;e.key!=="Escape"||!t.open||(t.open=!1,t.querySelector("summary")?.focus())}}
    >
      <summary>Display</summary>
      <div>
        <div class="field">
          <label for="theme">Theme</label>
          <select
            id="theme"
            @change=${e=>Ht.setTheme(e.target.value)}
          >
            ${qr.map(e=>d`<option value=${e} ?selected=${e===Ht.theme}>${Nf[e]}</option>`)}
          </select>
        </div>
        <label class="check">
          <input
            type="checkbox"
            .checked=${Ht.isColourBlind}
            @change=${e=>Ht.setColourBlind(e.target.checked)}
          />
          Colour-blind palette
        </label>
      </div>
    </details>`}};Ui.styles=[K,Y,j`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 100vh;
        background: var(--page);
      }
      .skip {
        position: absolute;
        left: 0.5rem;
        top: -4rem;
        z-index: 10;
      }
      .skip:focus {
        top: 0.5rem;
      }
      header {
        display: flex;
        align-items: center;
        gap: 0.25rem 1rem;
        padding: 0 1rem;
        border-bottom: 1px solid var(--edge);
        background: var(--surface);
      }
      .name {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        font-weight: 700;
        color: inherit;
        text-decoration: none;
        padding: 0.6rem 0;
        white-space: nowrap;
      }
      nav {
        display: flex;
        flex: 1;
        min-width: 0;
        overflow-x: auto;
      }
      nav a {
        padding: 0.75rem;
        color: var(--quiet);
        text-decoration: none;
        border: solid transparent;
        border-width: 3px 0;
        outline-offset: -3px;
      }
      nav a:hover {
        color: var(--text);
      }
      nav a[aria-current="page"] {
        color: var(--text);
        border-bottom-color: var(--accent);
        font-weight: 600;
      }
      .display {
        position: relative;
      }
      .display > div {
        position: absolute;
        right: 0;
        top: calc(100% + 0.6rem);
        z-index: 5;
        width: 15rem;
        background: var(--raised);
        border: 1px solid var(--edge);
        border-radius: var(--radius);
        padding: 0.8rem;
        box-shadow: 0 8px 24px rgb(0 0 0 / 0.25);
      }
      .display summary {
        list-style: none;
        border-radius: var(--radius);
        padding: 0.4rem 0.6rem;
        color: var(--quiet);
      }
      .display summary::-webkit-details-marker {
        display: none;
      }
      .check {
        display: flex;
        gap: 0.5rem;
        align-items: center;
        font-weight: 400;
        margin: 0;
      }
      .lost {
        background: var(--bad-tint);
        color: var(--bad);
        padding: 0.6rem 1rem;
        text-align: center;
        position: sticky;
        top: 0;
        z-index: 4;
      }
      main {
        flex: 1;
        width: 100%;
        max-width: 82rem;
        margin: 0 auto;
        padding: 1.25rem 1rem 3rem;
      }
      main:focus {
        outline: none;
      }
      @media (max-width: 32rem) {
        header {
          padding: 0 0.6rem;
          gap: 0.25rem;
        }
        .name span {
          display: none;
        }
        main {
          padding: 0.75rem 0.75rem 3rem;
        }
      }
    `],v([T()],Ui.prototype,"route",2),Ui=v([I("boardgym-studio")],Ui);var hd=i=>[i.room,...i.rest].join("/");export{Ui as Studio};
/*! Bundled license information:

@lit/reactive-element/css-tag.js:
  (**
   * @license
   * Copyright 2019 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

@lit/reactive-element/reactive-element.js:
lit-html/lit-html.js:
lit-element/lit-element.js:
@lit/reactive-element/decorators/custom-element.js:
@lit/reactive-element/decorators/property.js:
@lit/reactive-element/decorators/state.js:
@lit/reactive-element/decorators/event-options.js:
@lit/reactive-element/decorators/base.js:
@lit/reactive-element/decorators/query.js:
@lit/reactive-element/decorators/query-all.js:
@lit/reactive-element/decorators/query-async.js:
@lit/reactive-element/decorators/query-assigned-nodes.js:
  (**
   * @license
   * Copyright 2017 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/is-server.js:
  (**
   * @license
   * Copyright 2022 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

@lit/reactive-element/decorators/query-assigned-elements.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/
