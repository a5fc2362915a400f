var Gd=Object.defineProperty;var Id=Object.getOwnPropertyDescriptor;var v=(i,s,e,t)=>{for(var r=t>1?void 0:t?Id(s,e):s,n=i.length-1,o;n>=0;n--)(o=i[n])&&(r=(t?o(s,e,r):o(r))||r);return t&&r&&Gd(s,e,r),r};var Fr=globalThis,Hr=Fr.ShadowRoot&&(Fr.ShadyCSS===void 0||Fr.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,to=Symbol(),qa=new WeakMap,tr=class{constructor(s,e,t){if(this._$cssResult$=!0,t!==to)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=s,this.t=e}get styleSheet(){let s=this.o,e=this.t;if(Hr&&s===void 0){let t=e!==void 0&&e.length===1;t&&(s=qa.get(e)),s===void 0&&((this.o=s=new CSSStyleSheet).replaceSync(this.cssText),t&&qa.set(e,s))}return s}toString(){return this.cssText}},Vr=i=>new tr(typeof i=="string"?i:i+"",void 0,to),j=(i,...s)=>{let e=i.length===1?i[0]:s.reduce((t,r,n)=>t+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(r)+i[n+1],i[0]);return new tr(e,i,to)},Wa=(i,s)=>{if(Hr)i.adoptedStyleSheets=s.map(e=>e instanceof CSSStyleSheet?e:e.styleSheet);else for(let e of s){let t=document.createElement("style"),r=Fr.litNonce;r!==void 0&&t.setAttribute("nonce",r),t.textContent=e.cssText,i.appendChild(t)}},so=Hr?i=>i:i=>i instanceof CSSStyleSheet?(s=>{let e="";for(let t of s.cssRules)e+=t.cssText;return Vr(e)})(i):i;var{is:Bd,defineProperty:Ud,getOwnPropertyDescriptor:zd,getOwnPropertyNames:qd,getOwnPropertySymbols:Wd,getPrototypeOf:Kd}=Object,Gr=globalThis,Ka=Gr.trustedTypes,Yd=Ka?Ka.emptyScript:"",Jd=Gr.reactiveElementPolyfillSupport,sr=(i,s)=>i,ir={toAttribute(i,s){switch(s){case Boolean:i=i?Yd:null;break;case Object:case Array:i=i==null?i:JSON.stringify(i)}return i},fromAttribute(i,s){let e=i;switch(s){case Boolean:e=i!==null;break;case Number:e=i===null?null:Number(i);break;case Object:case Array:try{e=JSON.parse(i)}catch{e=null}}return e}},Ir=(i,s)=>!Bd(i,s),Ya={attribute:!0,type:String,converter:ir,reflect:!1,useDefault:!1,hasChanged:Ir};Symbol.metadata??=Symbol("metadata"),Gr.litPropertyMetadata??=new WeakMap;var cs=class extends HTMLElement{static addInitializer(s){this._$Ei(),(this.l??=[]).push(s)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(s,e=Ya){if(e.state&&(e.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(s)&&((e=Object.create(e)).wrapped=!0),this.elementProperties.set(s,e),!e.noAccessor){let t=Symbol(),r=this.getPropertyDescriptor(s,t,e);r!==void 0&&Ud(this.prototype,s,r)}}static getPropertyDescriptor(s,e,t){let{get:r,set:n}=zd(this.prototype,s)??{get(){return this[e]},set(o){this[e]=o}};return{get:r,set(o){let l=r?.call(this);n?.call(this,o),this.requestUpdate(s,l,t)},configurable:!0,enumerable:!0}}static getPropertyOptions(s){return this.elementProperties.get(s)??Ya}static _$Ei(){if(this.hasOwnProperty(sr("elementProperties")))return;let s=Kd(this);s.finalize(),s.l!==void 0&&(this.l=[...s.l]),this.elementProperties=new Map(s.elementProperties)}static finalize(){if(this.hasOwnProperty(sr("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(sr("properties"))){let e=this.properties,t=[...qd(e),...Wd(e)];for(let r of t)this.createProperty(r,e[r])}let s=this[Symbol.metadata];if(s!==null){let e=litPropertyMetadata.get(s);if(e!==void 0)for(let[t,r]of e)this.elementProperties.set(t,r)}this._$Eh=new Map;for(let[e,t]of this.elementProperties){let r=this._$Eu(e,t);r!==void 0&&this._$Eh.set(r,e)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(s){let e=[];if(Array.isArray(s)){let t=new Set(s.flat(1/0).reverse());for(let r of t)e.unshift(so(r))}else s!==void 0&&e.push(so(s));return e}static _$Eu(s,e){let t=e.attribute;return t===!1?void 0:typeof t=="string"?t:typeof s=="string"?s.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(s=>this.enableUpdating=s),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(s=>s(this))}addController(s){(this._$EO??=new Set).add(s),this.renderRoot!==void 0&&this.isConnected&&s.hostConnected?.()}removeController(s){this._$EO?.delete(s)}_$E_(){let s=new Map,e=this.constructor.elementProperties;for(let t of e.keys())this.hasOwnProperty(t)&&(s.set(t,this[t]),delete this[t]);s.size>0&&(this._$Ep=s)}createRenderRoot(){let s=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Wa(s,this.constructor.elementStyles),s}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(s=>s.hostConnected?.())}enableUpdating(s){}disconnectedCallback(){this._$EO?.forEach(s=>s.hostDisconnected?.())}attributeChangedCallback(s,e,t){this._$AK(s,t)}_$ET(s,e){let t=this.constructor.elementProperties.get(s),r=this.constructor._$Eu(s,t);if(r!==void 0&&t.reflect===!0){let n=(t.converter?.toAttribute!==void 0?t.converter:ir).toAttribute(e,t.type);this._$Em=s,n==null?this.removeAttribute(r):this.setAttribute(r,n),this._$Em=null}}_$AK(s,e){let t=this.constructor,r=t._$Eh.get(s);if(r!==void 0&&this._$Em!==r){let n=t.getPropertyOptions(r),o=typeof n.converter=="function"?{fromAttribute:n.converter}:n.converter?.fromAttribute!==void 0?n.converter:ir;this._$Em=r;let l=o.fromAttribute(e,n.type);this[r]=l??this._$Ej?.get(r)??l,this._$Em=null}}requestUpdate(s,e,t,r=!1,n){if(s!==void 0){let o=this.constructor;if(r===!1&&(n=this[s]),t??=o.getPropertyOptions(s),!((t.hasChanged??Ir)(n,e)||t.useDefault&&t.reflect&&n===this._$Ej?.get(s)&&!this.hasAttribute(o._$Eu(s,t))))return;this.C(s,e,t)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(s,e,{useDefault:t,reflect:r,wrapped:n},o){t&&!(this._$Ej??=new Map).has(s)&&(this._$Ej.set(s,o??e??this[s]),n!==!0||o!==void 0)||(this._$AL.has(s)||(this.hasUpdated||t||(e=void 0),this._$AL.set(s,e)),r===!0&&this._$Em!==s&&(this._$Eq??=new Set).add(s))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(e){Promise.reject(e)}let s=this.scheduleUpdate();return s!=null&&await s,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[r,n]of this._$Ep)this[r]=n;this._$Ep=void 0}let t=this.constructor.elementProperties;if(t.size>0)for(let[r,n]of t){let{wrapped:o}=n,l=this[r];o!==!0||this._$AL.has(r)||l===void 0||this.C(r,void 0,n,l)}}let s=!1,e=this._$AL;try{s=this.shouldUpdate(e),s?(this.willUpdate(e),this._$EO?.forEach(t=>t.hostUpdate?.()),this.update(e)):this._$EM()}catch(t){throw s=!1,this._$EM(),t}s&&this._$AE(e)}willUpdate(s){}_$AE(s){this._$EO?.forEach(e=>e.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(s)),this.updated(s)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(s){return!0}update(s){this._$Eq&&=this._$Eq.forEach(e=>this._$ET(e,this[e])),this._$EM()}updated(s){}firstUpdated(s){}};cs.elementStyles=[],cs.shadowRootOptions={mode:"open"},cs[sr("elementProperties")]=new Map,cs[sr("finalized")]=new Map,Jd?.({ReactiveElement:cs}),(Gr.reactiveElementVersions??=[]).push("2.1.2");var co=globalThis,Ja=i=>i,Br=co.trustedTypes,Za=Br?Br.createPolicy("lit-html",{createHTML:i=>i}):void 0,il="$lit$",xs=`lit$${Math.random().toFixed(9).slice(2)}$`,rl="?"+xs,Zd=`<${rl}>`,qs=document,nr=()=>qs.createComment(""),or=i=>i===null||typeof i!="object"&&typeof i!="function",po=Array.isArray,Qd=i=>po(i)||typeof i?.[Symbol.iterator]=="function",io=`[ 	
\f\r]`,rr=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Qa=/-->/g,Xa=/>/g,Us=RegExp(`>|${io}(?:([^\\s"'>=/]+)(${io}*=${io}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),el=/'/g,tl=/"/g,nl=/^(?:script|style|textarea|title)$/i,uo=i=>(s,...e)=>({_$litType$:i,strings:s,values:e}),u=uo(1),ee=uo(2),jf=uo(3),Ws=Symbol.for("lit-noChange"),y=Symbol.for("lit-nothing"),sl=new WeakMap,zs=qs.createTreeWalker(qs,129);function ol(i,s){if(!po(i)||!i.hasOwnProperty("raw"))throw Error("invalid template strings array");return Za!==void 0?Za.createHTML(s):s}var Xd=(i,s)=>{let e=i.length-1,t=[],r,n=s===2?"<svg>":s===3?"<math>":"",o=rr;for(let l=0;l<e;l++){let p=i[l],d,b,f=-1,w=0;for(;w<p.length&&(o.lastIndex=w,b=o.exec(p),b!==null);)w=o.lastIndex,o===rr?b[1]==="!--"?o=Qa:b[1]!==void 0?o=Xa:b[2]!==void 0?(nl.test(b[2])&&(r=RegExp("</"+b[2],"g")),o=Us):b[3]!==void 0&&(o=Us):o===Us?b[0]===">"?(o=r??rr,f=-1):b[1]===void 0?f=-2:(f=o.lastIndex-b[2].length,d=b[1],o=b[3]===void 0?Us:b[3]==='"'?tl:el):o===tl||o===el?o=Us:o===Qa||o===Xa?o=rr:(o=Us,r=void 0);let P=o===Us&&i[l+1].startsWith("/>")?" ":"";n+=o===rr?p+Zd:f>=0?(t.push(d),p.slice(0,f)+il+p.slice(f)+xs+P):p+xs+(f===-2?l:P)}return[ol(i,n+(i[e]||"<?>")+(s===2?"</svg>":s===3?"</math>":"")),t]},ar=class i{constructor({strings:s,_$litType$:e},t){let r;this.parts=[];let n=0,o=0,l=s.length-1,p=this.parts,[d,b]=Xd(s,e);if(this.el=i.createElement(d,t),zs.currentNode=this.el.content,e===2||e===3){let f=this.el.content.firstChild;f.replaceWith(...f.childNodes)}for(;(r=zs.nextNode())!==null&&p.length<l;){if(r.nodeType===1){if(r.hasAttributes())for(let f of r.getAttributeNames())if(f.endsWith(il)){let w=b[o++],P=r.getAttribute(f).split(xs),L=/([.?@])?(.*)/.exec(w);p.push({type:1,index:n,name:L[2],strings:P,ctor:L[1]==="."?no:L[1]==="?"?oo:L[1]==="@"?ao:_i}),r.removeAttribute(f)}else f.startsWith(xs)&&(p.push({type:6,index:n}),r.removeAttribute(f));if(nl.test(r.tagName)){let f=r.textContent.split(xs),w=f.length-1;if(w>0){r.textContent=Br?Br.emptyScript:"";for(let P=0;P<w;P++)r.append(f[P],nr()),zs.nextNode(),p.push({type:2,index:++n});r.append(f[w],nr())}}}else if(r.nodeType===8)if(r.data===rl)p.push({type:2,index:n});else{let f=-1;for(;(f=r.data.indexOf(xs,f+1))!==-1;)p.push({type:7,index:n}),f+=xs.length-1}n++}}static createElement(s,e){let t=qs.createElement("template");return t.innerHTML=s,t}};function Ei(i,s,e=i,t){if(s===Ws)return s;let r=t!==void 0?e._$Co?.[t]:e._$Cl,n=or(s)?void 0:s._$litDirective$;return r?.constructor!==n&&(r?._$AO?.(!1),n===void 0?r=void 0:(r=new n(i),r._$AT(i,e,t)),t!==void 0?(e._$Co??=[])[t]=r:e._$Cl=r),r!==void 0&&(s=Ei(i,r._$AS(i,s.values),r,t)),s}var ro=class{constructor(s,e){this._$AV=[],this._$AN=void 0,this._$AD=s,this._$AM=e}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(s){let{el:{content:e},parts:t}=this._$AD,r=(s?.creationScope??qs).importNode(e,!0);zs.currentNode=r;let n=zs.nextNode(),o=0,l=0,p=t[0];for(;p!==void 0;){if(o===p.index){let d;p.type===2?d=new lr(n,n.nextSibling,this,s):p.type===1?d=new p.ctor(n,p.name,p.strings,this,s):p.type===6&&(d=new lo(n,this,s)),this._$AV.push(d),p=t[++l]}o!==p?.index&&(n=zs.nextNode(),o++)}return zs.currentNode=qs,r}p(s){let e=0;for(let t of this._$AV)t!==void 0&&(t.strings!==void 0?(t._$AI(s,t,e),e+=t.strings.length-2):t._$AI(s[e])),e++}},lr=class i{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(s,e,t,r){this.type=2,this._$AH=y,this._$AN=void 0,this._$AA=s,this._$AB=e,this._$AM=t,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let s=this._$AA.parentNode,e=this._$AM;return e!==void 0&&s?.nodeType===11&&(s=e.parentNode),s}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(s,e=this){s=Ei(this,s,e),or(s)?s===y||s==null||s===""?(this._$AH!==y&&this._$AR(),this._$AH=y):s!==this._$AH&&s!==Ws&&this._(s):s._$litType$!==void 0?this.$(s):s.nodeType!==void 0?this.T(s):Qd(s)?this.k(s):this._(s)}O(s){return this._$AA.parentNode.insertBefore(s,this._$AB)}T(s){this._$AH!==s&&(this._$AR(),this._$AH=this.O(s))}_(s){this._$AH!==y&&or(this._$AH)?this._$AA.nextSibling.data=s:this.T(qs.createTextNode(s)),this._$AH=s}$(s){let{values:e,_$litType$:t}=s,r=typeof t=="number"?this._$AC(s):(t.el===void 0&&(t.el=ar.createElement(ol(t.h,t.h[0]),this.options)),t);if(this._$AH?._$AD===r)this._$AH.p(e);else{let n=new ro(r,this),o=n.u(this.options);n.p(e),this.T(o),this._$AH=n}}_$AC(s){let e=sl.get(s.strings);return e===void 0&&sl.set(s.strings,e=new ar(s)),e}k(s){po(this._$AH)||(this._$AH=[],this._$AR());let e=this._$AH,t,r=0;for(let n of s)r===e.length?e.push(t=new i(this.O(nr()),this.O(nr()),this,this.options)):t=e[r],t._$AI(n),r++;r<e.length&&(this._$AR(t&&t._$AB.nextSibling,r),e.length=r)}_$AR(s=this._$AA.nextSibling,e){for(this._$AP?.(!1,!0,e);s!==this._$AB;){let t=Ja(s).nextSibling;Ja(s).remove(),s=t}}setConnected(s){this._$AM===void 0&&(this._$Cv=s,this._$AP?.(s))}},_i=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(s,e,t,r,n){this.type=1,this._$AH=y,this._$AN=void 0,this.element=s,this.name=e,this._$AM=r,this.options=n,t.length>2||t[0]!==""||t[1]!==""?(this._$AH=Array(t.length-1).fill(new String),this.strings=t):this._$AH=y}_$AI(s,e=this,t,r){let n=this.strings,o=!1;if(n===void 0)s=Ei(this,s,e,0),o=!or(s)||s!==this._$AH&&s!==Ws,o&&(this._$AH=s);else{let l=s,p,d;for(s=n[0],p=0;p<n.length-1;p++)d=Ei(this,l[t+p],e,p),d===Ws&&(d=this._$AH[p]),o||=!or(d)||d!==this._$AH[p],d===y?s=y:s!==y&&(s+=(d??"")+n[p+1]),this._$AH[p]=d}o&&!r&&this.j(s)}j(s){s===y?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,s??"")}},no=class extends _i{constructor(){super(...arguments),this.type=3}j(s){this.element[this.name]=s===y?void 0:s}},oo=class extends _i{constructor(){super(...arguments),this.type=4}j(s){this.element.toggleAttribute(this.name,!!s&&s!==y)}},ao=class extends _i{constructor(s,e,t,r,n){super(s,e,t,r,n),this.type=5}_$AI(s,e=this){if((s=Ei(this,s,e,0)??y)===Ws)return;let t=this._$AH,r=s===y&&t!==y||s.capture!==t.capture||s.once!==t.once||s.passive!==t.passive,n=s!==y&&(t===y||r);r&&this.element.removeEventListener(this.name,this,t),n&&this.element.addEventListener(this.name,this,s),this._$AH=s}handleEvent(s){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,s):this._$AH.handleEvent(s)}},lo=class{constructor(s,e,t){this.element=s,this.type=6,this._$AN=void 0,this._$AM=e,this.options=t}get _$AU(){return this._$AM._$AU}_$AI(s){Ei(this,s)}};var eu=co.litHtmlPolyfillSupport;eu?.(ar,lr),(co.litHtmlVersions??=[]).push("3.3.3");var al=(i,s,e)=>{let t=e?.renderBefore??s,r=t._$litPart$;if(r===void 0){let n=e?.renderBefore??null;t._$litPart$=r=new lr(s.insertBefore(nr(),n),n,void 0,e??{})}return r._$AI(i),r};var ho=globalThis,F=class extends cs{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let s=super.createRenderRoot();return this.renderOptions.renderBefore??=s.firstChild,s}update(s){let e=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(s),this._$Do=al(e,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return Ws}};F._$litElement$=!0,F.finalized=!0,ho.litElementHydrateSupport?.({LitElement:F});var tu=ho.litElementPolyfillSupport;tu?.({LitElement:F});(ho.litElementVersions??=[]).push("4.2.2");var B=i=>(s,e)=>{e!==void 0?e.addInitializer(()=>{customElements.define(i,s)}):customElements.define(i,s)};var su={attribute:!0,type:String,converter:ir,reflect:!1,hasChanged:Ir},iu=(i=su,s,e)=>{let{kind:t,metadata:r}=e,n=globalThis.litPropertyMetadata.get(r);if(n===void 0&&globalThis.litPropertyMetadata.set(r,n=new Map),t==="setter"&&((i=Object.create(i)).wrapped=!0),n.set(e.name,i),t==="accessor"){let{name:o}=e;return{set(l){let p=s.get.call(this);s.set.call(this,l),this.requestUpdate(o,p,i,!0,l)},init(l){return l!==void 0&&this.C(o,void 0,i,l),l}}}if(t==="setter"){let{name:o}=e;return function(l){let p=this[o];s.call(this,l),this.requestUpdate(o,p,i,!0,l)}}throw Error("Unsupported decorator location: "+t)};function k(i){return(s,e)=>typeof e=="object"?iu(i,s,e):((t,r,n)=>{let o=r.hasOwnProperty(n);return r.constructor.createProperty(n,t),o?Object.getOwnPropertyDescriptor(r,n):void 0})(i,s,e)}function T(i){return k({...i,state:!0,attribute:!1})}var Ks=(i,s,e)=>(e.configurable=!0,e.enumerable=!0,Reflect.decorate&&typeof s!="object"&&Object.defineProperty(i,s,e),e);function cr(i,s){return(e,t,r)=>{let n=o=>o.renderRoot?.querySelector(i)??null;if(s){let{get:o,set:l}=typeof t=="object"?e:r??(()=>{let p=Symbol();return{get(){return this[p]},set(d){this[p]=d}}})();return Ks(e,t,{get(){let p=o.call(this);return p===void 0&&(p=n(this),(p!==null||this.hasUpdated)&&l.call(this,p)),p}})}return Ks(e,t,{get(){return n(this)}})}}var Tt=class extends Error{constructor(e,t){super(e);this.status=t}},ru=503,ll=1e3,nu=6e4,ou="The studio does not answer. Is `boardgym studio` still running?",mo=class extends EventTarget{constructor(){super(...arguments);this.isLost=!1;this.isAsking=!1}set(e){e!==this.isLost&&(this.isLost=e,this.dispatchEvent(new Event("change"))),e&&!this.isAsking&&this.ask()}async ask(){for(this.isAsking=!0;this.isLost;)await cl(ll),await fetch("/api/ready").then(async t=>(await t.json()).ready,()=>!1)&&this.set(!1);this.isAsking=!1}},es=new mo,cl=i=>new Promise(s=>setTimeout(s,i));async function au(i,s,e){for(;;){let t;try{t=await fetch(`/api${s}`,{method:i,headers:e===void 0?{}:{"Content-Type":"application/json"},body:e===void 0?void 0:JSON.stringify(e)})}catch{throw es.set(!0),new Tt(ou,0)}if(t.status!==ru)return es.set(!1),t;await cl(150)}}async function lu(i){if(i.ok)return i;let s=await i.json().catch(()=>null);throw new Tt(s?.error??`The studio answered ${i.status}.`,i.status)}async function pr(i,s,e){let t=await lu(await au(i,s,e));return t.status===204?void 0:await t.json()}var Xe=i=>pr("GET",i),ot=(i,s={})=>pr("POST",i,s),Pi=i=>pr("DELETE",i),ne=i=>i instanceof Error?i.message:String(i);function Ti(i,s,e){let t,r=0,n=()=>{clearTimeout(r),!(t&&t.readyState!==EventSource.CLOSED)&&(t=new EventSource(`/api${i}`),t.onmessage=p=>s(JSON.parse(p.data)),t.onopen=()=>{es.set(!1),e?.(!1)},t.onerror=()=>{e?.(!0),t?.readyState===EventSource.CLOSED&&(r=setTimeout(n,ll)),fetch("/api/ready").catch(()=>es.set(!0))})},o=()=>{clearTimeout(r),t?.close()},l=()=>{if(!document.hidden)return n();clearTimeout(r),r=setTimeout(o,nu)};return document.addEventListener("visibilitychange",l),n(),()=>{document.removeEventListener("visibilitychange",l),o()}}var Ur=["system","light","dark"],cu={system:"light dark",light:"light",dark:"dark"},fo="boardgym-theme",go="boardgym-colour-blind";function pl(i){try{return localStorage.getItem(i)}catch{return null}}function dl(i,s){try{localStorage.setItem(i,s)}catch{}}var vo=class extends EventTarget{constructor(){super();this.theme=Ur.find(e=>e===pl(fo))??"system";this.isColourBlind=pl(go)==="yes";this.show(),addEventListener("storage",e=>this.follow(e))}setTheme(e){this.theme=e,dl(fo,e),this.show()}setColourBlind(e){this.isColourBlind=e,dl(go,e?"yes":"no"),this.show()}follow(e){e.key===fo&&(this.theme=Ur.find(t=>t===e.newValue)??"system"),e.key===go&&(this.isColourBlind=e.newValue==="yes"),this.show()}show(){document.documentElement.style.colorScheme=cu[this.theme],this.dispatchEvent(new Event("change"))}},Vt=new vo,Mt=class{constructor(s){this.host=s;this.changed=()=>this.host.requestUpdate();s.addController(this)}get palette(){return Vt.isColourBlind?"colour-blind":""}hostConnected(){Vt.addEventListener("change",this.changed)}hostDisconnected(){Vt.removeEventListener("change",this.changed)}};var zr=(i,s)=>i.length>=s.length&&s.every((e,t)=>i[t]===e),dr=(i,s)=>i.filter(({clicks:e})=>e.some(t=>zr(t,s))),ul=(i,s)=>i.filter(({clicks:e})=>e.some(t=>t.length===s.length&&zr(t,s)));function ur(i,s){let e=new Set;for(let{clicks:t}of i)for(let r of t)r.length>s.length&&zr(r,s)&&e.add(r[s.length]);return e}function qr(i,s){let e=new Set;for(let{clicks:t}of i)for(let r of t)r.length===s.length+1&&zr(r,s)&&e.add(r[s.length]);return e}function Mi(i,s,e){let t=[...s,e],r=dr(i,t);if(r.length===0)return pu(i,s,e);let n=ul(i,t);return n.length===0?{kind:"chosen",places:t}:n.length===1&&r.length===1?{kind:"play",action:n[0].action}:{kind:"ask",places:t,actions:n}}function pu(i,s,e){if(s.length>0&&s.at(-1)===e){let t=ul(i,s);return t.length===1?{kind:"play",action:t[0].action}:{kind:"chosen",places:[]}}return s.length>0&&dr(i,[e]).length>0?Mi(i,[],e):{kind:"refused",places:[...s,e]}}function hl(i,s,e,t){if(s.at(-1)===e&&dr(i,[...s,t]).length>0)return Mi(i,s,t);let r=Mi(i,s.includes(e)?[]:s,e);return r.kind==="chosen"||r.kind==="ask"?Mi(i,r.places,t):r}var ml=i=>i.filter(({clicks:s})=>s.length===0);function fl(i,s){let e=n=>n.toLowerCase().replace(/\s+/g,""),t=i.filter(({move:n})=>n===s.trim()),r=t.length>0?t:i.filter(({move:n})=>e(n)===e(s));return r.length===1?r[0]:null}var gl=(i,s)=>({size:i.size,flipped:s});function Ye({size:i,flipped:s},e,t){return s?[i[0]-e,i[1]-t]:[e,t]}function Wr(i,s){let e=[];for(let t=0;t+1<s.length;t+=2)e.push(Ye(i,s[t],s[t+1]).join(","));return e.join(" ")}function Kr(i,s,e,t,r){return i.flipped?Ye(i,s+t,e+r):[s,e]}function bo([i,s],[e,t]){let r=Math.hypot(e-i,t-s)||1;return[(e-i)/r,(t-s)/r]}var du=20;function vl(i,s){let e=i.map(({middle:r},n)=>({place:n,at:Ye(s,...r)}));e.sort((r,n)=>r.at[1]-n.at[1]);let t=[];for(let r of e){let n=t.at(-1);n&&r.at[1]-n[0].at[1]<=du?n.push(r):t.push([r])}return t.map(r=>r.sort((n,o)=>n.at[0]-o.at[0]).map(({place:n})=>n))}var uu=["ArrowUp","ArrowRight","ArrowDown","ArrowLeft"];function bl(i,s,e,t,r){let n=uu.indexOf(t);if(n>=0)return i.places[e].neighbours[(r?n+2:n)%4];let o=s.find(l=>l.includes(e));if(t==="Home")return o?.[0];if(t==="End")return o?.at(-1)}function hu(i){let s=i.places.map(()=>[]);return i.place_of_spot.forEach((e,t)=>{e>=0&&s[e]?.push(t)}),s}var mu={hole:"disc",label:""};function fu(i,s){let e=i.filter(p=>p!==null),t=e[0];if(!t)return"empty";let r=mu[t.kind]??t.kind;if(t.kind==="card"||t.kind==="die"||t.kind==="label")return e.map(({label:p})=>`${r} ${p}`.trim()).join(", ")||r;let n=e.map(({label:p})=>Number(p)).filter(p=>p>0),o=Math.max(e.length,...n),l=s[t.colour]??"";return o>1?`${o} ${l} ${r}s`:`${l} ${r}`.trim()}function yl(i,s,e,t){let r=t?ur(s.actions,e):new Set,n=qr(s.actions,e),o=hu(i);return i.places.map(({name:l},p)=>{let d=[l,fu(o[p].map(b=>s.pieces[b]??null),i.seats)];return e.includes(p)&&d.push("chosen"),r.has(p)&&d.push(n.has(p)?"legal move":"can move"),o[p].some(b=>s.moved.includes(b))&&d.push("last move"),o[p].some(b=>s.winning.includes(b))&&d.push("winning"),d.join(", ")})}var Yr=class{constructor(s,e){this.root=s;this.listener=e;this.from=-1;this.start=[0,0];this.isDrag=!1;this.down=s=>{!s.isPrimary||s.button!==0||(this.from=$l(s.target),this.start=[s.clientX,s.clientY],this.isDrag=!1)};this.move=s=>{if(this.from<0||!s.isPrimary)return;if(s.buttons===0)return this.cancel();let e=s.currentTarget;if(!this.isDrag){if(!(Math.hypot(s.clientX-this.start[0],s.clientY-this.start[1])>6)||!this.listener.piece(this.from))return;this.isDrag=!0,e.setPointerCapture(s.pointerId)}this.listener.shown(this.from,this.under(s)),this.follow(e,s)};this.up=s=>{let{from:e,isDrag:t}=this;this.cancel();let r=this.under(s);e<0||r<0||(e===r?this.listener.clicked(r):t&&this.listener.dragged(e,r))};this.cancel=()=>{this.isDrag&&this.listener.shown(-1,-1),this.from=-1,this.isDrag=!1}}under(s){return $l(this.root().elementFromPoint(s.clientX,s.clientY))}follow(s,e){let t=s.getScreenCTM();if(!t)return;let{x:r,y:n}=new DOMPoint(e.clientX,e.clientY).matrixTransform(t.inverse());s.querySelector(".ghost")?.setAttribute("transform",`translate(${r} ${n})`)}};function $l(i){let s=i instanceof Element?i.closest("[data-place]"):null;return s?Number(s.getAttribute("data-place")):-1}var wl=j`
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
`;var gu=160,xl=(i,s)=>i?.kind===s?.kind&&i?.colour===s?.colour;function vu(i,s,e){let t=i.map((o,l)=>l).filter(o=>!xl(s[o]??null,e[o]??null)),r=new Set(t.filter(o=>s[o])),n=[];for(let o of t){let l=e[o]??null;if(l===null||l.kind==="die")continue;let p=b=>Math.hypot(i[b][0]-i[o][0],i[b][1]-i[o][1]),d=[...r].filter(b=>xl(s[b]??null,l)).sort((b,f)=>p(b)-p(f))[0];d!==void 0&&(r.delete(d),n.push({from:d,to:o}))}return n}function kl(i,s,e,t,r){if(!matchMedia("(prefers-reduced-motion: reduce)").matches)for(let{from:n,to:o}of vu(s.spots,e.pieces,t.pieces)){let l=i.querySelector(`[data-spot="${o}"] > g`),[p,d]=Ye(r,...s.spots[n]),[b,f]=Ye(r,...s.spots[o]);l?.animate([{transform:`translate(${p-b}px, ${d-f}px)`},{transform:"none"}],{duration:gu,easing:"ease-out"})}}function Sl(i,s){i.querySelector(`[data-place="${s}"] .area`)?.animate([{fill:"#e8543f",fillOpacity:.45},{fill:"#e8543f",fillOpacity:0}],{duration:400})}function _l(i,s,e,t){return i.shapes.filter(({kind:r})=>t||r!=="text").map(r=>bu(r,s,e))}function bu({kind:i,numbers:s,fill:e,stroke:t,width:r,text:n},o,l){let[p=0,d=0,b=0,f=0,w=0]=s,P=l.paint(e),L=l.paint(t);if(i==="rect"){let[_,U]=Kr(o,p,d,b,f);return ee`<rect x=${_} y=${U} width=${b} height=${f} rx=${w} fill=${P} stroke=${L} stroke-width=${r} />`}let[H,q]=Ye(o,p,d);if(i==="circle")return ee`<circle cx=${H} cy=${q} r=${b} fill=${P} stroke=${L} stroke-width=${r} />`;if(i==="text")return ee`<g class="label">${hr(n,H,q,b,l.ink(e))}</g>`;let J=Wr(o,s);return i==="line"?ee`<polyline points=${J} fill="none" stroke=${L} stroke-width=${r} stroke-linejoin="round" />`:ee`<polygon points=${J} fill=${P} stroke=${L} stroke-width=${r} stroke-linejoin="round" />`}var El=.72,yu=.62;function hr(i,s,e,t,r,n=1/0){let o=Math.min(t/El,n/(yu*Math.max(i.length,1))),l=e+o*El/2;return ee`<text x=${s} y=${l} font-size=${o} fill=${r} text-anchor="middle">${i}</text>`}var $o="#22252a",Ai="#ffffff",Li="var(--boardgym-mark, #e8543f)",Ci="var(--boardgym-hint, #7a3ff2)",Ml="colour-blind",Pl=[["#0072b2","#e69f00","#cc79a7","#f0e442"],["#d55e00","#f0e442","#cc79a7","#e69f00"]];var $u=[192,57,43],wu=[201,204,209],xu=[30,132,73],ku=[213,94,0],Su=[0,114,178];function Jr(i){let s=/^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(i);return s?[parseInt(s[1],16),parseInt(s[2],16),parseInt(s[3],16)]:null}function yo(i){let[s,e,t]=Jr(i)??[255,255,255];return .299*s+.587*e+.114*t}var Zr=i=>yo(i)>140?$o:Ai;function Eu(i,s){let[e,t]=[Jr(i)??[0,0,0],Jr(s)??[0,0,0]];return Math.hypot(e[0]-t[0],e[1]-t[1],e[2]-t[2])}function _u(i){let s=Jr(i);return s!==null&&Math.max(...s)-Math.min(...s)>70}function wo(i,s){let e=s===Ml,t=i>0?e?Su:xu:e?ku:$u,r=Math.min(Math.abs(i),1);return"#"+wu.map((o,l)=>Math.round(o+(t[l]-o)*r)).map(o=>o.toString(16).padStart(2,"0")).join("")}var Tl=i=>`--boardgym-${i.replace(/[^a-z0-9-]/gi,"-")}`,ks=class{constructor(s,e){this.game=s;this.name=e;this.paints=new Map;let t=s.palette.board??"";this.vivid=Pl.find(r=>r.slice(0,s.seats.length).every(n=>Eu(n,t)>100))??Pl[0]}colour(s){let e=this.game.palette[s]??"#808080";return this.name===Ml&&s.startsWith("piece-")&&_u(e)&&this.isOfSeats(s)?this.vivid[Number(s.slice(6))%this.vivid.length]:CSS.supports("color",e)?e:"#808080"}paint(s){if(s==="none")return s;let e=this.paints.get(s);return e===void 0&&(e=`var(${Tl(s)}, ${this.inBothSchemes(s)})`,this.paints.set(s,e)),e}ink(s){let e=this.colour(s);return`var(${Tl(s)}, light-dark(${e}, oklch(from ${e} max(l, 0.7) c h)))`}isOfSeats(s){return Number(s.slice(6))<this.game.seats.length}inBothSchemes(s){let e=this.colour(s);return s.startsWith("piece-")||yo(e)<225||!this.hasBrightPieces()?e:`light-dark(${e}, oklch(from ${e} 0.29 calc(c * 0.7) h))`}hasBrightPieces(){return Object.keys(this.game.palette).filter(e=>e.startsWith("piece-")).every(e=>yo(this.colour(e))>60)}};var Qr=12,Pu=3,[Tu,Mu,Au]=[4.3,1.8,3.9],[Al,Lu]=[14,1/44],xo=({clicks:i,spots:s},e,t,r)=>s&&s.length>0?[...new Set([s[0],s.at(-1)])].map((n,o,l)=>So(n,-1,e,t,r,o===l.length-1)):Ll(i[0]??[],e,t,r);function Ll(i,s,e,t){let r=i.filter(p=>p in s.places);if(r.length===0)return[];let[n,o]=[r[0],r.at(-1)],l=Eo(o,s,e,t);return n===o?[l]:[_o(n,s,e,t),l]}var Cl=(i,s)=>s.place_of_spot.flatMap((e,t)=>e===i?[t]:[]);function Cu(i,s,e){let t=Cl(i,s);return t.find(r=>!e.pieces[r])??t.at(-1)??-1}function ko(i,s,e){let t=Cl(i,s).filter(r=>e.pieces[r]);return t.findLast(r=>e.pieces[r]?.colour===e.to_play)??t.at(-1)??-1}var Ou=26;function So(i,s,e,t,r,n){let[o,l]=Ye(r,...e.spots[i]??e.places[s].middle);return[o,l+(n&&t.pieces[i]?.label?Ou:0)]}var Eo=(i,s,e,t)=>So(Cu(i,s,e),i,s,e,t,!0),_o=(i,s,e,t)=>So(ko(i,s,e),i,s,e,t,!1);function Po([i,s]){return ee`<circle cx=${i} cy=${s} r="7" fill=${Ci} fill-opacity="0.85" stroke=${Ai} stroke-width="1.5" />`}function Xr([i,s],e,t,r){if(!i)return ee``;if(!s)return ee`<circle cx=${i[0]} cy=${i[1]} r="28" fill="none" stroke=${e} stroke-width=${t} stroke-opacity=${r} />`;let[n,o]=bo(i,s),[l,p]=[s[0]-Qr*n,s[1]-Qr*o],[d,b]=[-.6*Qr*o,.6*Qr*n],f=`M${i[0]+9*n} ${i[1]+9*o}L${l} ${p}`,w=`M${s[0]} ${s[1]}L${l+d} ${p+b}L${l-d} ${p-b}Z`;return ee`<g opacity=${r} stroke-linecap="round" stroke-linejoin="round" fill="none">
    <path d=${f+w} stroke=${Ai} stroke-width=${t+2.5} />
    <path d=${f} stroke=${e} stroke-width=${t} /><path d=${w} fill=${e} /></g>`}function Ol(i,s,e,t){return i.map(r=>{if(typeof r=="number"){let o=e.actions.find(l=>l.action===r);return Xr(o?xo(o,s,e,t):[],Ci,7,.85)}let n=r.colour&&CSS.supports("color",r.colour)?r.colour:Ci;return Xr(Ll(r.places,s,e,t),n,7,.85)})}function Rl(i,s,e){let t=new Map;for(let r of s.actions){let n=xo(r,i,s,e);n.length>0&&t.set(n.join(),n)}return[...t.values()].map(r=>r.length>1?Xr(r,Ci,4,.7):Po(r[0]))}var To=i=>{let e=Math.abs(i)>1&&Number.isInteger(i)||Math.abs(i)>=10?i.toFixed(0):i.toFixed(2);return Number(e)===0?e.replace("-",""):i>0?`+${e}`:e.replace("-","−")};function Ru(i,s,e,t){let r=new Map;for(let l of e.actions){let p=i[l.action],d=xo(l,s,e,t);p===void 0||!Number.isFinite(p)||d.length===0||p>(r.get(d.join())?.value??-1/0)&&r.set(d.join(),{way:d,value:p})}let n=[...r.values()].sort((l,p)=>p.value-l.value),o=n.filter(({way:l})=>l.length>1).slice(0,Pu);return n.filter(l=>l.way.length===1||o.includes(l))}function Dl(i,s,e,t,r){let n=Ru(i,s,e,t),o=Math.max(1,...n.map(({value:b})=>Math.abs(b))),l=Math.max(Al,s.size[0]*Lu),p=n.map(({way:b})=>b.at(-1).join()),d=[];for(let{way:b,value:f}of n.toReversed())b.length>1&&d.push(Xr(b,wo(f/o,r),7,1));for(let{way:b,value:f}of n.toReversed()){let[w,P]=b.at(-1),L=l;b.length>1&&p.filter(q=>q===b[1].join()).length>1&&(L=.8*l,[w,P]=[.35*b[0][0]+.65*w,.35*b[0][1]+.65*P]);let H=f===n[0].value;d.push(Du(To(f),w,P,L,wo(f/o,r),H))}return d}function Du(i,s,e,t,r,n){let[o,l]=[Tu*t,Mu*t];return ee`<g class="tag"><rect x=${s-o/2} y=${e-l/2} width=${o} height=${l} rx="3" fill=${r}
    stroke=${n?Ci:Ai} stroke-width=${n?5*t/Al:1.5} />
    ${hr(i,s,e,t,Zr(r),Au*t)}</g>`}function Nl(i,s,e){return s.lines.map(([t,r])=>{let[n,o]=[Ye(e,...i.spots[t]),Ye(e,...i.spots[r])],[l,p]=bo(n,o),d=`M${n[0]-22*l} ${n[1]-22*p}L${o[0]+22*l} ${o[1]+22*p}`;return ee`<g fill="none" stroke-linecap="round"><path d=${d} stroke=${Ai} stroke-width="12" />
      <path d=${d} stroke=${$o} stroke-width="7" /></g>`})}var Nu={1:"e",2:"ai",3:"aei",4:"acgi",5:"acegi",6:"acdfgi"};function mr(i,s){let e=`piece-${i.colour}`,t=s.paint(e),r=Zr(s.colour(e)),n=(o,l,p)=>i.label?hr(i.label,0,0,o,p,l):y;switch(i.kind){case"cross":return ee`<path d="M-15 -15L15 15M15 -15L-15 15" class="mark" stroke=${t} />${n(20,36,t)}`;case"ring":return ee`<circle r="17" class="mark" stroke=${t} />${n(20,36,t)}`;case"square":return ee`<rect x="-15" y="-15" width="30" height="30" class="mark" stroke=${t} />${n(20,36,t)}`;case"label":return ee`${n(22,56,t)}`;case"die":return ee`<rect x="-19" y="-19" width="38" height="38" rx="6" fill=${t} class="edge" />${ju(i.label,r)}`;case"card":return i.label?ee`<rect x="-22" y="-32" width="44" height="64" rx="6" class="face" />${n(24,29,t)}`:ee`<rect x="-22" y="-32" width="44" height="64" rx="6" class="face" fill=${t} />
            <rect x="-16" y="-26" width="32" height="52" rx="3" class="back" />`;default:return ee`<circle r=${i.kind==="hole"?25:26} fill=${t} class="edge" />
        <circle r="17.5" class="groove" />${n(20,36,r)}`}}function ju(i,s){return[...Nu[i]??""].map(e=>{let t=e.charCodeAt(0)-97;return ee`<circle cx=${11*(t%3-1)} cy=${11*(Math.floor(t/3)-1)} r="3.7" fill=${s} />`})}var jl=i=>i.kind==="disc"||i.kind==="hole";function Fl(i,[s,e]){return i===null?ee`<circle cx=${s} cy=${e} r="15" fill="none" stroke=${Li} stroke-opacity="0.75" stroke-width="3" />`:jl(i)||i.kind==="card"?y:ee`<rect x=${s-27} y=${e-27} width="54" height="54" rx="6" fill=${Li} fill-opacity="0.16" />`}function Hl(i,[s,e]){return i===null?y:i.kind==="card"?ee`<rect x=${s-23.5} y=${e-33.5} width="47" height="67" rx="7.5" fill="none" stroke=${Li} stroke-width="3.5" />`:jl(i)?i.label?ee`<circle cx=${s} cy=${e} r="27" fill="none" stroke=${Li} stroke-width="3.5" />`:ee`<circle cx=${s} cy=${e} r="6.5" fill=${Li} stroke="#ffffff" stroke-width="2" />`:y}function Vl({game:i,state:s,frame:e,palette:t,labels:r,lifted:n}){let o=i.spots.map(([d,b])=>Ye(e,d,b)),l=s.moved.map(d=>({piece:s.pieces[d]??null,at:o[d]})),p=s.pieces.map((d,b)=>{let[f,w]=o[b];return d===null?y:ee`<g data-spot=${b} class=${b===n?"lifted":""} transform="translate(${f} ${w})"><g>${mr(d,t)}</g></g>`});return ee`<g class="under" aria-hidden="true">
    ${_l(i,e,t,r)} ${l.map(d=>Fl(d.piece,d.at))}
    ${p} ${Nl(i,s,e)} ${l.map(d=>Hl(d.piece,d.at))}
  </g>`}function Gl({game:i,state:s,frame:e,rows:t,interactive:r,chosen:n,focused:o,aimed:l}){let p=yl(i,s,n,r),d=r?ur(s.actions,n):new Set,b=f=>{let w=n.includes(f),P=["cell",d.has(f)&&"next",w&&"chosen",f===l&&"aimed"].filter(Boolean).join(" ");return ee`<g role="gridcell" class=${P} data-place=${f} aria-label=${p[f]} aria-selected=${w}
      tabindex=${f===o?0:-1}>${Fu(i.places[f],e)}</g>`};return t.map(f=>ee`<g role="row">${f.map(b)}</g>`)}function Fu({area:{kind:i,numbers:s}},e){let[t=0,r=0,n=0,o=0]=s;if(i==="polygon")return ee`<polygon class="area" points=${Wr(e,s)} />`;if(i==="circle"){let[d,b]=Ye(e,t,r);return ee`<circle class="area" cx=${d} cy=${b} r=${n} />`}let[l,p]=Kr(e,t,r,n,o);return ee`<rect class="area" x=${l} y=${p} width=${n} height=${o} rx="4" />`}function Il(i){let{game:s,state:e,frame:t,palette:r,arrows:n,values:o,lifted:l}=i,p=e.pieces[l]??null;return ee`<g class="over" aria-hidden="true">
    ${Hu(i)} ${Ol(n,s,e,t)} ${Dl(o,s,e,t,r.name)}
    <g class="ghost">${p?mr(p,r):y}</g>
  </g>`}function Hu({game:i,state:s,frame:e,interactive:t,chosen:r,showLegal:n,values:o}){if(!n||Object.keys(o).length>0&&r.length===0)return[];if(!t)return Rl(i,s,e);let l=qr(s.actions,r);return[...ur(s.actions,r)].map(p=>{if(l.has(p))return Po(Eo(p,i,s,e));let[d,b]=_o(p,i,s,e);return ee`<circle class="can" cx=${d} cy=${b} r="29" />`})}function Bl(i,s){if(i.fen===s.fen&&i.ply===s.ply&&i.status===s.status)return null;let e=s.ply>i.ply?s.moves.slice(-(s.ply-i.ply)):[];return[e.length>0&&e.length<5?e.join(", "):s.last_move??"",s.status].filter(Boolean).join("; ")}function Vu({outcome:i,to_play:s}){if(!i)return s??-1;let e=Math.max(...i.returns),t=i.returns.flatMap((r,n)=>r===e?[n]:[]);return t.length===1?t[0]:-1}function Ul(i,s,e){let t=`piece-${Vu(s)}`,r=ee`<circle cx="8" cy="8" r="7" fill=${e.paint(t)} />`;return u`<p class="status" part="status">
    ${t in i.palette?u`<svg class="seat" viewBox="0 0 16 16" aria-hidden="true">${r}</svg>`:y}
    <span>${s.status}</span>
  </p>`}var Gu=2,Iu=2,Oe=class extends F{constructor(){super(...arguments);this.interactive=!1;this.flipped=!1;this.palette="";this.values={};this.arrows=[];this.showLegal=!0;this.labels=!0;this.typing=!0;this.chosen=[];this.asked=[];this.focused=0;this.lifted=-1;this.aimed=-1;this.said="";this.isPressed=!1;this.isExplored=!1;this.rows=[];this.dragging=new Yr(()=>this.renderRoot,{piece:e=>this.interactive&&dr(this.actions,[e]).length>0,clicked:e=>this.clickPlace(e),dragged:(e,t)=>this.follow(hl(this.actions,this.chosen,e,t)),shown:(e,t)=>{this.lifted=this.game&&this.state?ko(e,this.game,this.state):-1,this.aimed=t}})}get actions(){return this.state?.actions??[]}get frame(){return gl(this.game,this.flipped)}get isDrawn(){return(this.game?.places.length??0)>0&&this.game.size[0]>0}willUpdate(e){let{game:t,state:r}=this;if(!t)return;(e.has("game")||e.has("palette"))&&(this.paints=new ks(t,this.palette)),(e.has("game")||e.has("flipped"))&&(this.rows=vl(t.places,this.frame)),e.has("game")&&(this.focused=this.rows[0]?.[0]??0);let n=e.get("state");(e.has("state")&&(n?.fen!==r?.fen||n?.ply!==r?.ply)||e.has("interactive")||e.has("game"))&&this.clear(),r&&n&&(this.said=Bl(n,r)??this.said)}updated(e){let t=e.get("state"),{game:r,state:n}=this;r&&n&&t&&!e.has("game")&&Math.abs(n.ply-t.ply)<=Iu&&this.isDrawn&&kl(this.renderRoot,r,t,n,this.frame),this.chooser&&this.putChooser(this.chooser)}render(){let{game:e,state:t,paints:r}=this;if(!e||!t||!r)return y;let n=this.isDrawn?this.interactive?ml(t.actions):[]:t.actions;return u`
      <div class="frame">
        ${this.isDrawn?u`<div @keydown=${this.onKey} @focusin=${this.onFocus}>${this.renderDrawing(e,t,r)}</div>`:u`<p class="blank">${t.fen}</p>`}
        ${this.asked.length>0?this.renderChooser():y}
      </div>
      <div class="line">${Ul(e,t,r)} ${this.renderField()}</div>
      ${t.notes.length>0?u`<p class="notes" part="notes">${t.notes.map(o=>u`<span>${o}</span>`)}</p>`:y}
      ${n.length>0?u`<div class="moves" part="moves" role="group" aria-label="Moves">${n.map(o=>this.renderMove(o))}</div>`:y}
      <div class="said" role="status" aria-live="polite">${this.said}</div>
    `}renderDrawing(e,t,r){let n={...this.shown(),game:e,state:t,palette:r,frame:this.frame,rows:this.rows},o=this.interactive&&t.actions.some(({clicks:l})=>l.some(p=>p.length>1));return u`<svg
      viewBox="0 0 ${e.size[0]} ${e.size[1]}"
      width=${Gu*e.size[0]}
      role="grid"
      aria-label="${e.title}: ${t.status}"
      class="board ${this.interactive&&t.actions.length>0?"acts":""} ${o?"drags":""}"
      @pointerdown=${this.onPress}
      @pointermove=${this.dragging.move}
      @pointerup=${this.dragging.up}
      @pointercancel=${this.dragging.cancel}
      @click=${this.onClick}
    >
      ${Vl(n)} ${Gl(n)} ${Il(n)}
    </svg>`}shown(){let{interactive:e,chosen:t,focused:r,lifted:n,aimed:o,values:l,arrows:p,showLegal:d,labels:b}=this;return{interactive:e,chosen:t,focused:r,lifted:n,aimed:o,values:l,arrows:p,showLegal:d,labels:b}}renderMove(e){let t=this.values[e.action],r=t===void 0?y:u`<span class="value">${To(t)}</span>`;return u`<button class="move" ?disabled=${!this.interactive} @click=${()=>this.play(e.action)}>${e.move}${r}</button>`}renderField(){let e=this.field!=null&&this.renderRoot.activeElement===this.field;return!this.typing||!(e||this.interactive&&this.actions.length>0)?y:u`<form class="typed" part="typed" @submit=${this.onTyped}>
      <input aria-label="Type a move, then Enter" placeholder="type a move" autocomplete="off" autocapitalize="off"
        ?readonly=${!this.interactive} spellcheck="false" maxlength="60" enterkeyhint="go" @keydown=${this.onFieldKey} />
    </form>`}renderChooser(){return u`<div class="chooser" role="group" aria-label="Which move?" @keydown=${this.onChooserKey}>
      ${this.asked.map(e=>this.renderMove(e))}
      <button class="cancel" aria-label="None of these" @click=${()=>this.clear()}>✕</button>
    </div>`}putChooser(e){let[t,r]=this.game.size,[n,o]=Ye(this.frame,...this.game.places[this.chosen.at(-1)].middle),l=o>r*.6;Object.assign(e.style,{left:`clamp(0px, calc(${100*n/t}% - ${e.offsetWidth/2}px), calc(100% - ${e.offsetWidth}px))`,top:l?"auto":`${100*(o+36)/r}%`,bottom:l?`${100*(r-o+36)/r}%`:"auto"})}clickPlace(e){this.interactive?this.follow(Mi(this.actions,this.chosen,e)):this.tell("pick",{places:[e]})}follow(e){if(e.kind==="play")return this.play(e.action);if(e.kind==="refused")return this.refuse(e.places,"");let t=n=>this.game.places[n].name,r=this.asked.length>0;this.chosen=e.places,this.asked=e.kind==="ask"?e.actions:[],this.said=e.places.length>0?`${e.places.map(t).join(" ")} chosen`:"nothing chosen",!r&&this.asked.length>0&&this.updateComplete.then(()=>this.chooser?.querySelector("button")?.focus())}play(e){this.renderRoot.activeElement?.matches(".move")&&this.cell(this.focused)?.focus(),this.clear(),this.tell("play",{action:e})}refuse(e,t){this.clear(),this.said=t?`${t} is no legal move here`:`no legal move: ${e.map(n=>this.game.places[n].name).join(" ")}`;let r=e.at(-1);r!==void 0&&Sl(this.renderRoot,r),this.tell("refused",{places:e,text:t})}clear(){this.chosen=[],this.asked=[]}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}cell(e){return this.renderRoot.querySelector(`[data-place="${e}"]`)}onClick(e){let t=e.target.closest("[data-place]")?.getAttribute("data-place");e.detail===0&&t&&this.clickPlace(Number(t))}onPress(e){this.isPressed=!0,addEventListener("pointerup",()=>this.isPressed=!1,{once:!0}),this.dragging.down(e)}onFocus(e){this.isExplored=!this.isPressed;let t=e.target.getAttribute("data-place");t&&(this.focused=Number(t))}onKey(e){if(e.ctrlKey||e.metaKey||e.altKey||!this.game||!this.interactive&&!this.isExplored)return;let t=bl(this.game,this.rows,this.focused,e.key,this.flipped);if(t!==void 0)t>=0&&this.cell(t)?.focus();else if(e.key==="Enter"||e.key===" ")this.clickPlace(this.focused);else if(e.key==="Escape"&&this.chosen.length>0)this.follow({kind:"chosen",places:[]});else{e.key.length===1&&this.field?.focus();return}e.preventDefault(),e.stopPropagation()}onChooserKey(e){if(e.key!=="Escape")return;let t=this.chosen.at(-1);this.clear(),t!==void 0&&this.cell(t)?.focus(),e.stopPropagation()}onFieldKey(e){e.key==="Escape"&&(this.field.value="",this.cell(this.focused)?.focus()),e.stopPropagation()}onTyped(e){e.preventDefault();let t=this.field.value.trim();if(!t||!this.interactive)return;let r=fl(this.actions,t);this.field.value="",r?this.play(r.action):this.refuse([],t)}};Oe.styles=wl,v([k({attribute:!1})],Oe.prototype,"game",2),v([k({attribute:!1})],Oe.prototype,"state",2),v([k({type:Boolean,reflect:!0})],Oe.prototype,"interactive",2),v([k({type:Boolean,reflect:!0})],Oe.prototype,"flipped",2),v([k({reflect:!0})],Oe.prototype,"palette",2),v([k({attribute:!1})],Oe.prototype,"values",2),v([k({attribute:!1})],Oe.prototype,"arrows",2),v([k({attribute:!1})],Oe.prototype,"showLegal",2),v([k({attribute:!1})],Oe.prototype,"labels",2),v([k({attribute:!1})],Oe.prototype,"typing",2),v([T()],Oe.prototype,"chosen",2),v([T()],Oe.prototype,"asked",2),v([T()],Oe.prototype,"focused",2),v([T()],Oe.prototype,"lifted",2),v([T()],Oe.prototype,"aimed",2),v([T()],Oe.prototype,"said",2),v([cr("input")],Oe.prototype,"field",2),v([cr(".chooser")],Oe.prototype,"chooser",2),Oe=v([B("boardgym-board")],Oe);var Bu=i=>Object.entries(i).map(([s,e])=>`options=${encodeURIComponent(`${s}=${e}`)}`).join("&"),en=()=>Xe("/games"),zl=(i,s)=>Xe(`/games/${encodeURIComponent(i)}?${Bu(s)}`),ql=()=>Xe("/plays"),tn=i=>ot("/plays",i),Wl=i=>ot("/positions/check",i),Kl=i=>ot("/positions",i),Ss=i=>i?.kind==="human";function sn(i,s){let e=i.seats[s];return Ss(e)?i.seats.filter(Ss).length===1?"You":"A person":e?.spec??""}async function Yl(){try{let{bots:i}=await Xe("/bots");return i.filter(({has_agent:s})=>s).map(({id:s,name:e,game:t})=>({id:String(s),name:e,game:t}))}catch(i){if(i instanceof Tt&&i.status===404)return[];throw i}}async function Jl(i){return(await ot(`/bots/${encodeURIComponent(i)}/snapshot`)).spec}var Uu=i=>i.places.length===i.spots.length&&i.place_of_spot.every((s,e)=>s===e);function Zl(i){if(Uu(i))return i;let s=i.spots.map((e,t)=>({name:`${i.places[i.place_of_spot[t]??-1]?.name??""} spot ${t+1}`.trim(),area:{kind:"circle",numbers:[...e,28]},middle:e,neighbours:[rn(i,t,0,-1),rn(i,t,1,0),rn(i,t,0,1),rn(i,t,-1,0)]}));return{...i,places:s,place_of_spot:i.spots.map((e,t)=>t)}}function rn(i,s,e,t){let[r,n]=i.spots[s]??[0,0],o=-1,l=1/0;for(let[p,[d,b]]of i.spots.entries()){let f=(d-r)*e+(b-n)*t,w=Math.abs((d-r)*t-(b-n)*e);f>0&&w<=f&&f+2*w<l&&([o,l]=[p,f+2*w])}return o}var K=j`
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
`;var dt=class extends F{constructor(){super(...arguments);this.options={};this.gameId="";this.kinds=[];this.brush=1;this.seat=0;this.message="";this.fen="";this.preferences=new Mt(this);this.asked=0}willUpdate(e){!e.has("game")||e.get("game")===this.game||(this.shown=Zl(this.game),this.kinds=this.start.pieces.map(t=>this.kindOf(t)),this.brush=1,this.seat=Math.max(0,this.start.to_play??0),this.check())}kindOf(e){return e?1+(this.game.brush??[]).findIndex(t=>zu(t,e)):0}paint(e){let t=this.kinds[e]===this.brush?0:this.brush;this.kinds=this.kinds.map((r,n)=>n===e?t:r),this.check()}clear(){this.kinds=this.kinds.map(()=>0),this.check()}async check(){let e=++this.asked,t="",r="";try{({fen:t}=await Kl({game:this.gameId,options:this.options,pieces:this.kinds,seat:this.seat}))}catch(n){r=ne(n)}e===this.asked&&(this.message=r,this.fen=t,this.dispatchEvent(new CustomEvent("fen",{detail:t})))}get board(){let e=this.game.brush??[],t=this.kinds.map(n=>e[n-1]??null),r=this.game.seats[this.seat]??"";return{...this.start,fen:this.fen,pieces:t,moved:[],winning:[],lines:[],notes:[],actions:[],status:`${r} to play`}}render(){return u`
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
          ${this.game.seats.map((e,t)=>u`<option .selected=${t===this.seat}>${e}</option>`)}
        </select>
      </div>
      <div role="status">
        ${this.message?u`<p class="error">${this.message}</p>`:y}
        ${this.fen?u`<p class="ok">This position can be played.</p>`:y}
      </div>
      <boardgym-board
        palette=${this.preferences.palette}
        .game=${this.shown}
        .state=${this.board}
        .interactive=${!1}
        .showLegal=${!1}
        @pick=${e=>this.paint(e.detail.places[0]??-1)}
      ></boardgym-board>
    `}renderBrush(e,t){let r=new ks(this.game,this.preferences.palette);return u`<button type="button" aria-pressed=${this.brush===t} @click=${()=>this.brush=t}>
      <svg class="swatch" viewBox="-34 -34 68 68" aria-hidden="true">${mr(e,r)}</svg>
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
    `],v([k({attribute:!1})],dt.prototype,"game",2),v([k({attribute:!1})],dt.prototype,"start",2),v([k({attribute:!1})],dt.prototype,"options",2),v([k()],dt.prototype,"gameId",2),v([T()],dt.prototype,"kinds",2),v([T()],dt.prototype,"brush",2),v([T()],dt.prototype,"seat",2),v([T()],dt.prototype,"message",2),v([T()],dt.prototype,"fen",2),dt=v([B("boardgym-play-brush")],dt);var zu=(i,s)=>i.kind===s.kind&&i.colour===s.colour&&i.label===s.label;var qu="ConnectFour-v0",Ql=["puct:1000","uct:1000"],Mo="bot:";function fr(i,s){return i.find(({id:t})=>t===s||t.replace(/-v\d+$/,"")===s)??(s?void 0:i.find(({id:t})=>t===qu)??i[0])}var Ao=i=>Ql.find(s=>i.includes(s))??i.at(-1)??"random";function nn(i){return{game:i.id,options:Object.fromEntries(Object.entries(i.options).map(([s,{value:e}])=>[s,e])),seats:i.seats.map((s,e)=>({who:e===0?"you":"policy",spec:Ao(i.policies)})),begin:"start",setup:i.setups.find(s=>s!=="standard")??"standard",fen:"",minutes:0,increment:0,seed:""}}function Xl(i,s){let e=nn(i);for(let o of s.getAll("option")){let[l="",p=""]=o.split(/=(.*)/s),d=i.options[l];d&&(e.options[l]=Ys(p,d.value))}let t=s.get("seats")?.split(";");t?.length===i.seats.length&&(e.seats=t.map(Wu));let r=s.get("fen"),n=s.get("setup");return r?Object.assign(e,{begin:"fen",fen:r}):n&&Object.assign(e,{begin:"setup",setup:n}),e}function Wu(i){return i==="human"?{who:"you",spec:Ql[0]??""}:i.startsWith(Mo)?{who:"agent",spec:i.slice(Mo.length)}:{who:"policy",spec:i}}function Ys(i,s){return typeof s=="number"?Number(i):typeof s=="boolean"?i.toLowerCase()==="true":i}var ec=({who:i})=>i==="you"||i==="person";async function Ku(i){return ec(i)?{kind:"human",spec:""}:{kind:"policy",spec:i.who==="agent"?await Jl(i.spec):i.spec.trim()}}var Yu=i=>ec(i)?"human":i.who==="agent"?Mo+i.spec:i.spec.trim();function on(i,s){return Object.fromEntries(Object.entries(s.options).filter(([e,t])=>i.options[e]?.value!==t))}async function tc(i,s){return{game:s.game,options:on(i,s),seats:await Promise.all(s.seats.map(Ku)),...s.seed===""?{}:{seed:Number(s.seed)},...s.begin==="fen"||s.begin==="hand"?{position:s.fen.trim()}:{},...s.begin==="setup"?{setup:s.setup}:{},...s.minutes>0?{clock:{seconds:s.minutes*60,increment:s.increment}}:{}}}function sc(i,s){let e=new URLSearchParams({game:s.game.replace(/-v\d+$/,"")});for(let[t,r]of Object.entries(on(i,s)))e.append("option",`${t}=${r}`);return s.begin==="setup"&&e.set("setup",s.setup),(s.begin==="fen"||s.begin==="hand")&&s.fen&&e.set("fen",s.fen),JSON.stringify(s.seats)!==JSON.stringify(nn(i).seats)&&e.set("seats",s.seats.map(Yu).join(";")),`#/play?${e}`}var ut=class extends F{constructor(){super(...arguments);this.entries=[];this.game="";this.options={};this.moves=[];this.fen="";this.isByHand=!1;this.byHand="";this.pasted=""}willUpdate(e){e.has("game")&&(this.isByHand=!1)}begin(e){let t={game:this.game,options:this.options,start:null,moves:[],...e};this.dispatchEvent(new CustomEvent("begin",{detail:t}))}get entry(){return this.entries.find(({id:e})=>e===this.game)}render(){return u`
      <div class="fields">
        <div class="field">
          <label for="game">Game</label>
          <select id="game" @change=${e=>this.begin({game:e.target.value,options:{}})}>
            ${this.entries.map(({id:e,title:t})=>u`<option value=${e} .selected=${e===this.game}>${t}</option>`)}
          </select>
        </div>
      </div>
      ${this.renderRules()} ${this.renderTexts()}
      <p class="row">
        <button @click=${()=>this.begin({})}>Standard start</button>
        ${this.position?.game.brush?u`<button aria-pressed=${this.isByHand} @click=${()=>this.isByHand=!this.isByHand}>Set up by hand</button>`:y}
      </p>
      ${this.isByHand&&this.position?this.renderByHand(this.position):y}
    `}renderRules(){let e=Object.entries(this.entry?.options??{});if(e.length===0)return y;let t=(r,n,o)=>this.begin({options:{...this.options,[r]:Ys(n,o)}});return u`<details>
      <summary>Rules</summary>
      <div class="fields">
        ${e.map(([r,{value:n,choices:o}])=>{let l=this.options[r]??n,p=o??(typeof n=="boolean"?[!0,!1]:void 0);return u`<div class="field">
            <label for=${`rule-${r}`}>${r.replaceAll("_"," ")}</label>
            ${p?u`<select id=${`rule-${r}`} @change=${d=>t(r,d.target.value,n)}>
                  ${p.map(d=>u`<option value=${String(d)} .selected=${d===l}>${String(d)||"none"}</option>`)}
                </select>`:u`<input
                  id=${`rule-${r}`}
                  maxlength="60"
                  .value=${String(l)}
                  @change=${d=>t(r,d.target.value,n)}
                />`}
          </div>`})}
      </div>
    </details>`}renderTexts(){return u`
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
    `}renderByHand(e){return u`
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
    `],v([k({attribute:!1})],ut.prototype,"entries",2),v([k()],ut.prototype,"game",2),v([k({attribute:!1})],ut.prototype,"options",2),v([k({attribute:!1})],ut.prototype,"moves",2),v([k()],ut.prototype,"fen",2),v([k({attribute:!1})],ut.prototype,"position",2),v([T()],ut.prototype,"isByHand",2),v([T()],ut.prototype,"byHand",2),v([T()],ut.prototype,"pasted",2),ut=v([B("boardgym-analyse-begin")],ut);function Gt(i){if(i==null)return"–";let s=Math.abs(i).toFixed(2);return Number(s)===0?s:`${i<0?"−":"+"}${s}`}function an({value:i,distance:s,score:e}){if(i===null)return"–";let t=i===1?"wins":i===-1?"loses":i===0?"draws":Gt(i),r=s&&i!==0?` in ${s}`:"";return`${t}${r}${e!=null&&i!==0?` (${Ju(e)})`:""}`}var Ju=i=>i>0?`+${i}`:i<0?`−${-i}`:"0";function Zu(i){return i<1e4?i.toLocaleString("en"):i<1e6?`${(i/1e3).toFixed(0)} k`:`${(i/1e6).toFixed(1)} M`}function ic(i){return[...[i.depth>0?`depth ${i.depth}`:"",i.nodes>0?`${Zu(i.nodes)} nodes`:""],`${i.elapsed.toFixed(1)} s`].filter(Boolean).join(" · ")}function rc(i){let s=i.moves.every(({score:t})=>t!=null),e={};for(let{action:t,value:r,score:n}of i.moves){let o=s?n:r;o!=null&&(e[t]=o)}return e}var Qu="uplot",Xu="u-hz",eh="u-vt",th="u-title",sh="u-wrap",ih="u-under",rh="u-over",nh="u-axis",Qs="u-off",oh="u-select",ah="u-cursor-x",lh="u-cursor-y",ch="u-cursor-pt",ph="u-legend",dh="u-live",uh="u-inline",hh="u-series",mh="u-marker",nc="u-label",fh="u-value",vr="width",br="height";var oc="bottom",Oi="left",Lo="right",Ko="#000",ac=Ko+"0",Co="mousemove",lc="mousedown",Oo="mouseup",cc="mouseenter",pc="mouseleave",dc="dblclick",gh="resize",vh="scroll",uc="change",un="dppxchange",Yo="--",Vi=typeof window<"u",Fo=Vi?document:null,Di=Vi?window:null,bh=Vi?navigator:null,ve,ln;function Ho(){let i=devicePixelRatio;ve!=i&&(ve=i,ln&&Go(uc,ln,Ho),ln=matchMedia(`(min-resolution: ${ve-.001}dppx) and (max-resolution: ${ve+.001}dppx)`),Xs(uc,ln,Ho),Di.dispatchEvent(new CustomEvent(un)))}function bt(i,s){if(s!=null){let e=i.classList;!e.contains(s)&&e.add(s)}}function Vo(i,s){let e=i.classList;e.contains(s)&&e.remove(s)}function Te(i,s,e){i.style[s]=e+"px"}function It(i,s,e,t){let r=Fo.createElement(i);return s!=null&&bt(r,s),e?.insertBefore(r,t),r}function At(i,s){return It("div",i,s)}var hc=new WeakMap;function ts(i,s,e,t,r){let n="translate("+s+"px,"+e+"px)",o=hc.get(i);n!=o&&(i.style.transform=n,hc.set(i,n),s<0||e<0||s>t||e>r?bt(i,Qs):Vo(i,Qs))}var mc=new WeakMap;function fc(i,s,e){let t=s+e,r=mc.get(i);t!=r&&(mc.set(i,t),i.style.background=s,i.style.borderColor=e)}var gc=new WeakMap;function vc(i,s,e,t){let r=s+""+e,n=gc.get(i);r!=n&&(gc.set(i,r),i.style.height=e+"px",i.style.width=s+"px",i.style.marginLeft=t?-s/2+"px":0,i.style.marginTop=t?-e/2+"px":0)}var Jo={passive:!0},yh={...Jo,capture:!0};function Xs(i,s,e,t){s.addEventListener(i,e,t?yh:Jo)}function Go(i,s,e,t){s.removeEventListener(i,e,Jo)}Vi&&Ho();function Bt(i,s,e,t){let r;e=e||0,t=t||s.length-1;let n=t<=2147483647;for(;t-e>1;)r=n?e+t>>1:yt((e+t)/2),s[r]<i?e=r:t=r;return i-s[e]<=s[t]-i?e:t}function zc(i){return(e,t,r)=>{let n=-1,o=-1;for(let l=t;l<=r;l++)if(i(e[l])){n=l;break}for(let l=r;l>=t;l--)if(i(e[l])){o=l;break}return[n,o]}}var qc=i=>i!=null,Wc=i=>i!=null&&i>0,fn=zc(qc),$h=zc(Wc);function wh(i,s,e,t=0,r=!1){let n=r?$h:fn,o=r?Wc:qc;[s,e]=n(i,s,e);let l=i[s],p=i[s];if(s>-1)if(t==1)l=i[s],p=i[e];else if(t==-1)l=i[e],p=i[s];else for(let d=s;d<=e;d++){let b=i[d];o(b)&&(b<l?l=b:b>p&&(p=b))}return[l??xe,p??-xe]}function gn(i,s,e,t){let r=$c(i),n=$c(s);i==s&&(r==-1?(i*=e,s/=e):(i/=e,s*=e));let o=e==10?ps:Kc,l=r==1?yt:Lt,p=n==1?Lt:yt,d=l(o(Ge(i))),b=p(o(Ge(s))),f=Ni(e,d),w=Ni(e,b);return e==10&&(d<0&&(f=ke(f,-d)),b<0&&(w=ke(w,-b))),t||e==2?(i=f*r,s=w*n):(i=Qc(i,f),s=vn(s,w)),[i,s]}function Zo(i,s,e,t){let r=gn(i,s,e,t);return i==0&&(r[0]=0),s==0&&(r[1]=0),r}var Qo=.1,bc={mode:3,pad:Qo},$r={pad:0,soft:null,mode:0},xh={min:$r,max:$r};function hn(i,s,e,t){return bn(e)?yc(i,s,e):($r.pad=e,$r.soft=t?0:null,$r.mode=t?3:0,yc(i,s,xh))}function fe(i,s){return i??s}function kh(i,s,e){for(s=fe(s,0),e=fe(e,i.length-1);s<=e;){if(i[s]!=null)return!0;s++}return!1}function yc(i,s,e){let t=e.min,r=e.max,n=fe(t.pad,0),o=fe(r.pad,0),l=fe(t.hard,-xe),p=fe(r.hard,xe),d=fe(t.soft,xe),b=fe(r.soft,-xe),f=fe(t.mode,0),w=fe(r.mode,0),P=s-i,L=ps(P),H=at(Ge(i),Ge(s)),q=ps(H),J=Ge(q-L);(P<1e-24||J>10)&&(P=0,(i==0||s==0)&&(P=1e-24,f==2&&d!=xe&&(n=0),w==2&&b!=-xe&&(o=0)));let _=P||H||1e3,U=ps(_),M=Ni(10,yt(U)),oe=_*(P==0?i==0?.1:1:n),N=ke(Qc(i-oe,M/10),24),ae=i>=d&&(f==1||f==3&&N<=d||f==2&&N>=d)?d:xe,se=at(l,N<ae&&i>=ae?ae:Ut(ae,N)),pe=_*(P==0?s==0?.1:1:o),te=ke(vn(s+pe,M/10),24),A=s<=b&&(w==1||w==3&&te>=b||w==2&&te<=b)?b:-xe,re=Ut(p,te>A&&s<=A?A:at(A,te));return se==re&&se==0&&(re=100),[se,re]}var Sh=new Intl.NumberFormat(Vi?bh.language:"en-US"),Xo=i=>Sh.format(i),$t=Math,dn=$t.PI,Ge=$t.abs,yt=$t.floor,Ve=$t.round,Lt=$t.ceil,Ut=$t.min,at=$t.max,Ni=$t.pow,$c=$t.sign,ps=$t.log10,Kc=$t.log2,Eh=(i,s=1)=>$t.sinh(i)*s,Ro=(i,s=1)=>$t.asinh(i/s),xe=1/0;function wc(i){return(ps((i^i>>31)-(i>>31))|0)+1}function Io(i,s,e){return Ut(at(i,s),e)}function Yc(i){return typeof i=="function"}function de(i){return Yc(i)?i:()=>i}var _h=()=>{},Jc=i=>i,Zc=(i,s)=>s,Ph=i=>null,xc=i=>!0,kc=(i,s)=>i==s,Th=/\.\d*?(?=9{6,}|0{6,})/gm,ei=i=>{if(ep(i)||_s.has(i))return i;let s=`${i}`,e=s.match(Th);if(e==null)return i;let t=e[0].length-1;if(s.indexOf("e-")!=-1){let[r,n]=s.split("e");return+`${ei(r)}e${n}`}return ke(i,t)};function Js(i,s){return ei(ke(ei(i/s))*s)}function vn(i,s){return ei(Lt(ei(i/s))*s)}function Qc(i,s){return ei(yt(ei(i/s))*s)}function ke(i,s=0){if(ep(i))return i;let e=10**s,t=i*e*(1+Number.EPSILON);return Ve(t)/e}var _s=new Map;function Xc(i){return((""+i).split(".")[1]||"").length}function xr(i,s,e,t){let r=[],n=t.map(Xc);for(let o=s;o<e;o++){let l=Ge(o),p=ke(Ni(i,o),l);for(let d=0;d<t.length;d++){let b=i==10?+`${t[d]}e${o}`:t[d]*p,f=(o>=0?0:l)+(o>=n[d]?0:n[d]),w=i==10?b:ke(b,f);r.push(w),_s.set(w,f)}}return r}var wr={},ea=[],ji=[null,null],Es=Array.isArray,ep=Number.isInteger,Mh=i=>i===void 0;function Sc(i){return typeof i=="string"}function bn(i){let s=!1;if(i!=null){let e=i.constructor;s=e==null||e==Object}return s}function Ah(i){return i!=null&&typeof i=="object"}var Lh=Object.getPrototypeOf(Uint8Array),tp="__proto__";function Fi(i,s=bn){let e;if(Es(i)){let t=i.find(r=>r!=null);if(Es(t)||s(t)){e=Array(i.length);for(let r=0;r<i.length;r++)e[r]=Fi(i[r],s)}else e=i.slice()}else if(i instanceof Lh)e=i.slice();else if(s(i)){e={};for(let t in i)t!=tp&&(e[t]=Fi(i[t],s))}else e=i;return e}function je(i){let s=arguments;for(let e=1;e<s.length;e++){let t=s[e];for(let r in t)r!=tp&&(bn(i[r])?je(i[r],Fi(t[r])):i[r]=Fi(t[r]))}return i}var Ch=0,Oh=1,Rh=2;function Dh(i,s,e){for(let t=0,r,n=-1;t<s.length;t++){let o=s[t];if(o>n){for(r=o-1;r>=0&&i[r]==null;)i[r--]=null;for(r=o+1;r<e&&i[r]==null;)i[n=r++]=null}}}function Nh(i,s){if(Hh(i)){let o=i[0].slice();for(let l=1;l<i.length;l++)o.push(...i[l].slice(1));return Vh(o[0])||(o=Fh(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let p=i[o][0],d=p.length;for(let b=0;b<d;b++)e.add(p[b])}let t=[Array.from(e).sort((o,l)=>o-l)],r=t[0].length,n=new Map;for(let o=0;o<r;o++)n.set(t[0][o],o);for(let o=0;o<i.length;o++){let l=i[o],p=l[0];for(let d=1;d<l.length;d++){let b=l[d],f=Array(r).fill(void 0),w=s?s[o][d]:Oh,P=[];for(let L=0;L<b.length;L++){let H=b[L],q=n.get(p[L]);H===null?w!=Ch&&(f[q]=H,w==Rh&&P.push(q)):f[q]=H}Dh(f,P,r),t.push(f)}}return t}var jh=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function Fh(i){let s=i[0],e=s.length,t=Array(e);for(let n=0;n<t.length;n++)t[n]=n;t.sort((n,o)=>s[n]-s[o]);let r=[];for(let n=0;n<i.length;n++){let o=i[n],l=Array(e);for(let p=0;p<e;p++)l[p]=o[t[p]];r.push(l)}return r}function Hh(i){let s=i[0][0],e=s.length;for(let t=1;t<i.length;t++){let r=i[t][0];if(r.length!=e)return!1;if(r!=s){for(let n=0;n<e;n++)if(r[n]!=s[n])return!1}}return!0}function Vh(i,s=100){let e=i.length;if(e<=1)return!0;let t=0,r=e-1;for(;t<=r&&i[t]==null;)t++;for(;r>=t&&i[r]==null;)r--;if(r<=t)return!0;let n=at(1,yt((r-t+1)/s));for(let o=i[t],l=t+n;l<=r;l+=n){let p=i[l];if(p!=null){if(p<=o)return!1;o=p}}return!0}var sp=["January","February","March","April","May","June","July","August","September","October","November","December"],ip=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function rp(i){return i.slice(0,3)}var Gh=ip.map(rp),Ih=sp.map(rp),Bh={MMMM:sp,MMM:Ih,WWWW:ip,WWW:Gh};function gr(i){return(i<10?"0":"")+i}function Uh(i){return(i<10?"00":i<100?"0":"")+i}var zh={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,s)=>s.MMMM[i.getMonth()],MMM:(i,s)=>s.MMM[i.getMonth()],MM:i=>gr(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>gr(i.getDate()),D:i=>i.getDate(),WWWW:(i,s)=>s.WWWW[i.getDay()],WWW:(i,s)=>s.WWW[i.getDay()],HH:i=>gr(i.getHours()),H:i=>i.getHours(),h:i=>{let s=i.getHours();return s==0?12:s>12?s-12:s},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>gr(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>gr(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>Uh(i.getMilliseconds())};function ta(i,s){s=s||Bh;let e=[],t=/\{([a-z]+)\}|[^{]+/gi,r;for(;r=t.exec(i);)e.push(r[0][0]=="{"?zh[r[1]]:r[0]);return n=>{let o="";for(let l=0;l<e.length;l++)o+=typeof e[l]=="string"?e[l]:e[l](n,s);return o}}var qh=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Wh(i,s){let e;return s=="UTC"||s=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):s==qh?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:s})),e.setMilliseconds(i.getMilliseconds())),e}var np=i=>i%1==0,mn=[1,2,2.5,5],Kh=xr(10,-32,0,mn),op=xr(10,0,32,mn),Yh=op.filter(np),Zs=Kh.concat(op),sa=`
`,ap="{YYYY}",Ec=sa+ap,lp="{M}/{D}",yr=sa+lp,cn=yr+"/{YY}",cp="{aa}",Jh="{h}:{mm}",Ri=Jh+cp,_c=sa+Ri,Pc=":{ss}",ye=null;function pp(i){let s=i*1e3,e=s*60,t=e*60,r=t*24,n=r*30,o=r*365,p=(i==1?xr(10,0,3,mn).filter(np):xr(10,-3,0,mn)).concat([s,s*5,s*10,s*15,s*30,e,e*5,e*10,e*15,e*30,t,t*2,t*3,t*4,t*6,t*8,t*12,r,r*2,r*3,r*4,r*5,r*6,r*7,r*8,r*9,r*10,r*15,n,n*2,n*3,n*4,n*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),d=[[o,ap,ye,ye,ye,ye,ye,ye,1],[r*28,"{MMM}",Ec,ye,ye,ye,ye,ye,1],[r,lp,Ec,ye,ye,ye,ye,ye,1],[t,"{h}"+cp,cn,ye,yr,ye,ye,ye,1],[e,Ri,cn,ye,yr,ye,ye,ye,1],[s,Pc,cn+" "+Ri,ye,yr+" "+Ri,ye,_c,ye,1],[i,Pc+".{fff}",cn+" "+Ri,ye,yr+" "+Ri,ye,_c,ye,1]];function b(f){return(w,P,L,H,q,J)=>{let _=[],U=q>=o,M=q>=n&&q<o,oe=f(L),N=ke(oe*i,3),ae=Do(oe.getFullYear(),U?0:oe.getMonth(),M||U?1:oe.getDate()),se=ke(ae*i,3);if(M||U){let pe=M?q/n:0,te=U?q/o:0,A=N==se?N:ke(Do(ae.getFullYear()+te,ae.getMonth()+pe,1)*i,3),re=new Date(Ve(A/i)),V=re.getFullYear(),Q=re.getMonth();for(let W=0;A<=H;W++){let ue=Do(V+te*W,Q+pe*W,1),z=ue-f(ke(ue*i,3));A=ke((+ue+z)*i,3),A<=H&&_.push(A)}}else{let pe=q>=r?r:q,te=yt(L)-yt(N),A=se+te+vn(N-se,pe);_.push(A);let re=f(A),V=re.getHours()+re.getMinutes()/e+re.getSeconds()/t,Q=q/t,W=w.axes[P]._space,ue=J/W;for(;A=ke(A+q,i==1?0:3),!(A>H);)if(Q>1){let z=yt(ke(V+Q,6))%24,he=f(A).getHours()-z;he>1&&(he=-1),A-=he*t,V=(V+Q)%24;let $e=_[_.length-1];ke((A-$e)/q,3)*ue>=.7&&_.push(A)}else _.push(A)}return _}}return[p,d,b]}var[Zh,Qh,Xh]=pp(1),[em,tm,sm]=pp(.001);xr(2,-53,53,[1]);function Tc(i,s){return i.map(e=>e.map((t,r)=>r==0||r==8||t==null?t:s(r==1||e[8]==0?t:e[1]+t)))}function Mc(i,s){return(e,t,r,n,o)=>{let l=s.find(L=>o>=L[0])||s[s.length-1],p,d,b,f,w,P;return t.map(L=>{let H=i(L),q=H.getFullYear(),J=H.getMonth(),_=H.getDate(),U=H.getHours(),M=H.getMinutes(),oe=H.getSeconds(),N=q!=p&&l[2]||J!=d&&l[3]||_!=b&&l[4]||U!=f&&l[5]||M!=w&&l[6]||oe!=P&&l[7]||l[1];return p=q,d=J,b=_,f=U,w=M,P=oe,N(H)})}}function im(i,s){let e=ta(s);return(t,r,n,o,l)=>r.map(p=>e(i(p)))}function Do(i,s,e){return new Date(i,s,e)}function Ac(i,s){return s(i)}var rm="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Lc(i,s){return(e,t,r,n)=>n==null?Yo:s(i(t))}function nm(i,s){let e=i.series[s];return e.width?e.stroke(i,s):e.points.width?e.points.stroke(i,s):null}function om(i,s){return i.series[s].fill(i,s)}var am={show:!0,live:!0,isolate:!1,mount:_h,markers:{show:!0,width:2,stroke:nm,fill:om,dash:"solid"},idx:null,idxs:null,values:[]};function lm(i,s){let e=i.cursor.points,t=At(),r=e.size(i,s);Te(t,vr,r),Te(t,br,r);let n=r/-2;Te(t,"marginLeft",n),Te(t,"marginTop",n);let o=e.width(i,s,r);return o&&Te(t,"borderWidth",o),t}function cm(i,s){let e=i.series[s].points;return e._fill||e._stroke}function pm(i,s){let e=i.series[s].points;return e._stroke||e._fill}function dm(i,s){return i.series[s].points.size}var No=[0,0];function um(i,s,e){return No[0]=s,No[1]=e,No}function pn(i,s,e,t=!0){return r=>{r.button==0&&(!t||r.target==s)&&e(r)}}function jo(i,s,e,t=!0){return r=>{(!t||r.target==s)&&e(r)}}var hm={show:!0,x:!0,y:!0,lock:!1,move:um,points:{one:!1,show:lm,size:dm,width:0,stroke:pm,fill:cm},bind:{mousedown:pn,mouseup:pn,click:pn,dblclick:pn,mousemove:jo,mouseleave:jo,mouseenter:jo},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,s)=>{s.stopPropagation(),s.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,s,e,t,r)=>t-r,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},dp={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},ia=je({},dp,{filter:Zc}),up=je({},ia,{size:10}),hp=je({},dp,{show:!1}),ra='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',mp="bold "+ra,fp=1.5,Cc={show:!0,scale:"x",stroke:Ko,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:mp,side:2,grid:ia,ticks:up,border:hp,font:ra,lineGap:fp,rotate:0},mm="Value",fm="Time",Oc={show:!0,scale:"x",auto:!1,sorted:1,min:xe,max:-xe,idxs:[]};function gm(i,s,e,t,r){return s.map(n=>n==null?"":Xo(n))}function vm(i,s,e,t,r,n,o){let l=[],p=_s.get(r)||0;e=o?e:ke(vn(e,r),p);for(let d=e;d<=t;d=ke(d+r,p))l.push(Object.is(d,-0)?0:d);return l}function Bo(i,s,e,t,r,n,o){let l=[],p=i.scales[i.axes[s].scale].log,d=p==10?ps:Kc,b=yt(d(e));r=Ni(p,b),p==10&&(r=Zs[Bt(r,Zs)]);let f=e,w=r*p;p==10&&(w=Zs[Bt(w,Zs)]);do l.push(f),f=f+r,p==10&&!_s.has(f)&&(f=ke(f,_s.get(r))),f>=w&&(r=f,w=r*p,p==10&&(w=Zs[Bt(w,Zs)]));while(f<=t);return l}function bm(i,s,e,t,r,n,o){let p=i.scales[i.axes[s].scale].asinh,d=t>p?Bo(i,s,at(p,e),t,r):[p],b=t>=0&&e<=0?[0]:[];return(e<-p?Bo(i,s,at(p,-t),-e,r):[p]).reverse().map(w=>-w).concat(b,d)}var gp=/./,ym=/[12357]/,$m=/[125]/,Rc=/1/,Uo=(i,s,e,t)=>i.map((r,n)=>s==4&&r==0||n%t==0&&e.test(r.toExponential()[r<0?1:0])?r:null);function wm(i,s,e,t,r){let n=i.axes[e],o=n.scale,l=i.scales[o],p=i.valToPos,d=n._space,b=p(10,o),f=p(9,o)-b>=d?gp:p(7,o)-b>=d?ym:p(5,o)-b>=d?$m:Rc;if(f==Rc){let w=Ge(p(1,o)-b);if(w<d)return Uo(s.slice().reverse(),l.distr,f,Lt(d/w)).reverse()}return Uo(s,l.distr,f,1)}function xm(i,s,e,t,r){let n=i.axes[e],o=n.scale,l=n._space,p=i.valToPos,d=Ge(p(1,o)-p(2,o));return d<l?Uo(s.slice().reverse(),3,gp,Lt(l/d)).reverse():s}function km(i,s,e,t){return t==null?Yo:s==null?"":Xo(s)}var Dc={show:!0,scale:"y",stroke:Ko,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:mp,side:3,grid:ia,ticks:up,border:hp,font:ra,lineGap:fp,rotate:0};function Sm(i,s){let e=3+(i||1)*2;return ke(e*s,3)}function Em(i,s){let{scale:e,idxs:t}=i.series[0],r=i._data[0],n=i.valToPos(r[t[0]],e,!0),o=i.valToPos(r[t[1]],e,!0),l=Ge(o-n),p=i.series[s],d=l/(p.points.space*ve);return t[1]-t[0]<=d}var Nc={scale:null,auto:!0,sorted:0,min:xe,max:-xe},vp=(i,s,e,t,r)=>r,jc={show:!0,auto:!0,sorted:0,gaps:vp,alpha:1,facets:[je({},Nc,{scale:"x"}),je({},Nc,{scale:"y"})]},Fc={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:vp,alpha:1,points:{show:Em,filter:null},values:null,min:xe,max:-xe,idxs:[],path:null,clip:null};function _m(i,s,e,t,r){return e/10}var bp={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Pm=je({},bp,{time:!1,ori:1}),Hc={};function yp(i,s){let e=Hc[i];return e||(e={key:i,plots:[],sub(t){e.plots.push(t)},unsub(t){e.plots=e.plots.filter(r=>r!=t)},pub(t,r,n,o,l,p,d){for(let b=0;b<e.plots.length;b++)e.plots[b]!=r&&e.plots[b].pub(t,r,n,o,l,p,d)}},i!=null&&(Hc[i]=e)),e}var Hi=1,zo=2;function ti(i,s,e){let t=i.mode,r=i.series[s],n=t==2?i._data[s]:i._data,o=i.scales,l=i.bbox,p=n[0],d=t==2?n[1]:n[s],b=t==2?o[r.facets[0].scale]:o[i.series[0].scale],f=t==2?o[r.facets[1].scale]:o[r.scale],w=l.left,P=l.top,L=l.width,H=l.height,q=i.valToPosH,J=i.valToPosV;return b.ori==0?e(r,p,d,b,f,q,J,w,P,L,H,$n,Gi,xn,wp,kp):e(r,p,d,b,f,J,q,P,w,H,L,wn,Ii,aa,xp,Sp)}function na(i,s){let e=0,t=0,r=fe(i.bands,ea);for(let n=0;n<r.length;n++){let o=r[n];o.series[0]==s?e=o.dir:o.series[1]==s&&(o.dir==1?t|=1:t|=2)}return[e,t==1?-1:t==2?1:t==3?2:0]}function Tm(i,s,e,t,r){let n=i.mode,o=i.series[s],l=n==2?o.facets[1].scale:o.scale,p=i.scales[l];return r==-1?p.min:r==1?p.max:p.distr==3?p.dir==1?p.min:p.max:0}function ds(i,s,e,t,r,n){return ti(i,s,(o,l,p,d,b,f,w,P,L,H,q)=>{let J=o.pxRound,_=d.dir*(d.ori==0?1:-1),U=d.ori==0?Gi:Ii,M,oe;_==1?(M=e,oe=t):(M=t,oe=e);let N=J(f(l[M],d,H,P)),ae=J(w(p[M],b,q,L)),se=J(f(l[oe],d,H,P)),pe=J(w(n==1?b.max:b.min,b,q,L)),te=new Path2D(r);return U(te,se,pe),U(te,N,pe),U(te,N,ae),te})}function yn(i,s,e,t,r,n){let o=null;if(i.length>0){o=new Path2D;let l=s==0?xn:aa,p=e;for(let f=0;f<i.length;f++){let w=i[f];if(w[1]>w[0]){let P=w[0]-p;P>0&&l(o,p,t,P,t+n),p=w[1]}}let d=e+r-p,b=10;d>0&&l(o,p,t-b/2,d,t+n+b)}return o}function Mm(i,s,e){let t=i[i.length-1];t&&t[0]==s?t[1]=e:i.push([s,e])}function oa(i,s,e,t,r,n,o){let l=[],p=i.length;for(let d=r==1?e:t;d>=e&&d<=t;d+=r)if(s[d]===null){let f=d,w=d;if(r==1)for(;++d<=t&&s[d]===null;)w=d;else for(;--d>=e&&s[d]===null;)w=d;let P=n(i[f]),L=w==f?P:n(i[w]),H=f-r;P=o<=0&&H>=0&&H<p?n(i[H]):P;let J=w+r;L=o>=0&&J>=0&&J<p?n(i[J]):L,L>=P&&l.push([P,L])}return l}function Vc(i){return i==0?Jc:i==1?Ve:s=>Js(s,i)}function $p(i){let s=i==0?$n:wn,e=i==0?(r,n,o,l,p,d)=>{r.arcTo(n,o,l,p,d)}:(r,n,o,l,p,d)=>{r.arcTo(o,n,p,l,d)},t=i==0?(r,n,o,l,p)=>{r.rect(n,o,l,p)}:(r,n,o,l,p)=>{r.rect(o,n,p,l)};return(r,n,o,l,p,d=0,b=0)=>{d==0&&b==0?t(r,n,o,l,p):(d=Ut(d,l/2,p/2),b=Ut(b,l/2,p/2),s(r,n+d,o),e(r,n+l,o,n+l,o+p,d),e(r,n+l,o+p,n,o+p,b),e(r,n,o+p,n,o,b),e(r,n,o,n+l,o,d),r.closePath())}}var $n=(i,s,e)=>{i.moveTo(s,e)},wn=(i,s,e)=>{i.moveTo(e,s)},Gi=(i,s,e)=>{i.lineTo(s,e)},Ii=(i,s,e)=>{i.lineTo(e,s)},xn=$p(0),aa=$p(1),wp=(i,s,e,t,r,n)=>{i.arc(s,e,t,r,n)},xp=(i,s,e,t,r,n)=>{i.arc(e,s,t,r,n)},kp=(i,s,e,t,r,n,o)=>{i.bezierCurveTo(s,e,t,r,n,o)},Sp=(i,s,e,t,r,n,o)=>{i.bezierCurveTo(e,s,r,t,o,n)};function Ep(i){return(s,e,t,r,n)=>ti(s,e,(o,l,p,d,b,f,w,P,L,H,q)=>{let{pxRound:J,points:_}=o,U,M;d.ori==0?(U=$n,M=wp):(U=wn,M=xp);let oe=ke(_.width*ve,3),N=(_.size-_.width)/2*ve,ae=ke(N*2,3),se=new Path2D,pe=new Path2D,{left:te,top:A,width:re,height:V}=s.bbox;xn(pe,te-ae,A-ae,re+ae*2,V+ae*2);let Q=W=>{if(p[W]!=null){let ue=J(f(l[W],d,H,P)),z=J(w(p[W],b,q,L));U(se,ue+N,z),M(se,ue,z,N,0,dn*2)}};if(n)n.forEach(Q);else for(let W=t;W<=r;W++)Q(W);return{stroke:oe>0?se:null,fill:se,clip:pe,flags:Hi|zo}})}function _p(i){return(s,e,t,r,n,o)=>{t!=r&&(n!=t&&o!=t&&i(s,e,t),n!=r&&o!=r&&i(s,e,r),i(s,e,o))}}var Am=_p(Gi),Lm=_p(Ii);function Pp(i){let s=fe(i?.alignGaps,0);return(e,t,r,n)=>ti(e,t,(o,l,p,d,b,f,w,P,L,H,q)=>{[r,n]=fn(p,r,n);let J=o.pxRound,_=V=>J(f(V,d,H,P)),U=V=>J(w(V,b,q,L)),M,oe;d.ori==0?(M=Gi,oe=Am):(M=Ii,oe=Lm);let N=d.dir*(d.ori==0?1:-1),ae={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Hi},se=ae.stroke,pe=!1;if(n-r>=H*4){let V=G=>e.posToVal(G,d.key,!0),Q=null,W=null,ue,z,lt,Me=_(l[N==1?r:n]),he=_(l[r]),$e=_(l[n]),le=V(N==1?he+1:$e-1);for(let G=N==1?r:n;G>=r&&G<=n;G+=N){let Fe=l[G],Ae=(N==1?Fe<le:Fe>le)?Me:_(Fe),be=p[G];Ae==Me?be!=null?(z=be,Q==null?(M(se,Ae,U(z)),ue=Q=W=z):z<Q?Q=z:z>W&&(W=z)):be===null&&(pe=!0):(Q!=null&&oe(se,Me,U(Q),U(W),U(ue),U(z)),be!=null?(z=be,M(se,Ae,U(z)),Q=W=ue=z):(Q=W=null,be===null&&(pe=!0)),Me=Ae,le=V(Me+N))}Q!=null&&Q!=W&&lt!=Me&&oe(se,Me,U(Q),U(W),U(ue),U(z))}else for(let V=N==1?r:n;V>=r&&V<=n;V+=N){let Q=p[V];Q===null?pe=!0:Q!=null&&M(se,_(l[V]),U(Q))}let[A,re]=na(e,t);if(o.fill!=null||A!=0){let V=ae.fill=new Path2D(se),Q=o.fillTo(e,t,o.min,o.max,A),W=U(Q),ue=_(l[r]),z=_(l[n]);N==-1&&([z,ue]=[ue,z]),M(V,z,W),M(V,ue,W)}if(!o.spanGaps){let V=[];pe&&V.push(...oa(l,p,r,n,N,_,s)),ae.gaps=V=o.gaps(e,t,r,n,V),ae.clip=yn(V,d.ori,P,L,H,q)}return re!=0&&(ae.band=re==2?[ds(e,t,r,n,se,-1),ds(e,t,r,n,se,1)]:ds(e,t,r,n,se,re)),ae})}function Cm(i){let s=fe(i.align,1),e=fe(i.ascDesc,!1),t=fe(i.alignGaps,0),r=fe(i.extend,!1);return(n,o,l,p)=>ti(n,o,(d,b,f,w,P,L,H,q,J,_,U)=>{[l,p]=fn(f,l,p);let M=d.pxRound,{left:oe,width:N}=n.bbox,ae=he=>M(L(he,w,_,q)),se=he=>M(H(he,P,U,J)),pe=w.ori==0?Gi:Ii,te={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Hi},A=te.stroke,re=w.dir*(w.ori==0?1:-1),V=se(f[re==1?l:p]),Q=ae(b[re==1?l:p]),W=Q,ue=Q;r&&s==-1&&(ue=oe,pe(A,ue,V)),pe(A,Q,V);for(let he=re==1?l:p;he>=l&&he<=p;he+=re){let $e=f[he];if($e==null)continue;let le=ae(b[he]),G=se($e);s==1?pe(A,le,V):pe(A,W,G),pe(A,le,G),V=G,W=le}let z=W;r&&s==1&&(z=oe+N,pe(A,z,V));let[lt,Me]=na(n,o);if(d.fill!=null||lt!=0){let he=te.fill=new Path2D(A),$e=d.fillTo(n,o,d.min,d.max,lt),le=se($e);pe(he,z,le),pe(he,ue,le)}if(!d.spanGaps){let he=[];he.push(...oa(b,f,l,p,re,ae,t));let $e=d.width*ve/2,le=e||s==1?$e:-$e,G=e||s==-1?-$e:$e;he.forEach(Fe=>{Fe[0]+=le,Fe[1]+=G}),te.gaps=he=d.gaps(n,o,l,p,he),te.clip=yn(he,w.ori,q,J,_,U)}return Me!=0&&(te.band=Me==2?[ds(n,o,l,p,A,-1),ds(n,o,l,p,A,1)]:ds(n,o,l,p,A,Me)),te})}function Gc(i,s,e,t,r,n,o=xe){if(i.length>1){let l=null;for(let p=0,d=1/0;p<i.length;p++)if(s[p]!==void 0){if(l!=null){let b=Ge(i[p]-i[l]);b<d&&(d=b,o=Ge(e(i[p],t,r,n)-e(i[l],t,r,n)))}l=p}}return o}function Om(i){i=i||wr;let s=fe(i.size,[.6,xe,1]),e=i.align||0,t=i.gap||0,r=i.radius;r=r==null?[0,0]:typeof r=="number"?[r,0]:r;let n=de(r),o=1-s[0],l=fe(s[1],xe),p=fe(s[2],1),d=fe(i.disp,wr),b=fe(i.each,P=>{}),{fill:f,stroke:w}=d;return(P,L,H,q)=>ti(P,L,(J,_,U,M,oe,N,ae,se,pe,te,A)=>{let re=J.pxRound,V=e,Q=t*ve,W=l*ve,ue=p*ve,z,lt;M.ori==0?[z,lt]=n(P,L):[lt,z]=n(P,L);let Me=M.dir*(M.ori==0?1:-1),he=M.ori==0?xn:aa,$e=M.ori==0?b:(R,Se,He,ci,Ns,Kt,js)=>{b(R,Se,He,Ns,ci,js,Kt)},le=fe(P.bands,ea).find(R=>R.series[0]==L),G=le!=null?le.dir:0,Fe=J.fillTo(P,L,J.min,J.max,G),tt=re(ae(Fe,oe,A,pe)),Ae,be,Dt,ht=te,Ce=re(J.width*ve),Wt=!1,os=null,xt=null,gs=null,oi=null;f!=null&&(Ce==0||w!=null)&&(Wt=!0,os=f.values(P,L,H,q),xt=new Map,new Set(os).forEach(R=>{R!=null&&xt.set(R,new Path2D)}),Ce>0&&(gs=w.values(P,L,H,q),oi=new Map,new Set(gs).forEach(R=>{R!=null&&oi.set(R,new Path2D)})));let{x0:ai,size:Wi}=d;if(ai!=null&&Wi!=null){V=1,_=ai.values(P,L,H,q),ai.unit==2&&(_=_.map(He=>P.posToVal(se+He*te,M.key,!0)));let R=Wi.values(P,L,H,q);Wi.unit==2?be=R[0]*te:be=N(R[0],M,te,se)-N(0,M,te,se),ht=Gc(_,U,N,M,te,se,ht),Dt=ht-be+Q}else ht=Gc(_,U,N,M,te,se,ht),Dt=ht*o+Q,be=ht-Dt;Dt<1&&(Dt=0),Ce>=be/2&&(Ce=0),Dt<5&&(re=Jc);let Tr=Dt>0,Rs=ht-Dt-(Tr?Ce:0);be=re(Io(Rs,ue,W)),Ae=(V==0?be/2:V==Me?0:be)-V*Me*((V==0?Q/2:0)+(Tr?Ce/2:0));let st={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},li=Wt?null:new Path2D,as=null;if(le!=null)as=P.data[le.series[1]];else{let{y0:R,y1:Se}=d;R!=null&&Se!=null&&(U=Se.values(P,L,H,q),as=R.values(P,L,H,q))}let Ds=z*be,ie=lt*be;for(let R=Me==1?H:q;R>=H&&R<=q;R+=Me){let Se=U[R];if(Se==null)continue;if(as!=null){let ct=as[R]??0;if(Se-ct==0)continue;tt=ae(ct,oe,A,pe)}let He=M.distr!=2||d!=null?_[R]:R,ci=N(He,M,te,se),Ns=ae(fe(Se,Fe),oe,A,pe),Kt=re(ci-Ae),js=re(at(Ns,tt)),mt=re(Ut(Ns,tt)),kt=js-mt;if(Se!=null){let ct=Se<0?ie:Ds,Nt=Se<0?Ds:ie;Wt?(Ce>0&&gs[R]!=null&&he(oi.get(gs[R]),Kt,mt+yt(Ce/2),be,at(0,kt-Ce),ct,Nt),os[R]!=null&&he(xt.get(os[R]),Kt,mt+yt(Ce/2),be,at(0,kt-Ce),ct,Nt)):he(li,Kt,mt+yt(Ce/2),be,at(0,kt-Ce),ct,Nt),$e(P,L,R,Kt-Ce/2,mt,be+Ce,kt)}}return Ce>0?st.stroke=Wt?oi:li:Wt||(st._fill=J.width==0?J._fill:J._stroke??J._fill,st.width=0),st.fill=Wt?xt:li,st})}function Rm(i,s){let e=fe(s?.alignGaps,0);return(t,r,n,o)=>ti(t,r,(l,p,d,b,f,w,P,L,H,q,J)=>{[n,o]=fn(d,n,o);let _=l.pxRound,U=z=>_(w(z,b,q,L)),M=z=>_(P(z,f,J,H)),oe,N,ae;b.ori==0?(oe=$n,ae=Gi,N=kp):(oe=wn,ae=Ii,N=Sp);let se=b.dir*(b.ori==0?1:-1),pe=U(p[se==1?n:o]),te=pe,A=[],re=[];for(let z=se==1?n:o;z>=n&&z<=o;z+=se)if(d[z]!=null){let Me=p[z],he=U(Me);A.push(te=he),re.push(M(d[z]))}let V={stroke:i(A,re,oe,ae,N,_),fill:null,clip:null,band:null,gaps:null,flags:Hi},Q=V.stroke,[W,ue]=na(t,r);if(l.fill!=null||W!=0){let z=V.fill=new Path2D(Q),lt=l.fillTo(t,r,l.min,l.max,W),Me=M(lt);ae(z,te,Me),ae(z,pe,Me)}if(!l.spanGaps){let z=[];z.push(...oa(p,d,n,o,se,U,e)),V.gaps=z=l.gaps(t,r,n,o,z),V.clip=yn(z,b.ori,L,H,q,J)}return ue!=0&&(V.band=ue==2?[ds(t,r,n,o,Q,-1),ds(t,r,n,o,Q,1)]:ds(t,r,n,o,Q,ue)),V})}function Dm(i){return Rm(Nm,i)}function Nm(i,s,e,t,r,n){let o=i.length;if(o<2)return null;let l=new Path2D;if(e(l,i[0],s[0]),o==2)t(l,i[1],s[1]);else{let p=Array(o),d=Array(o-1),b=Array(o-1),f=Array(o-1);for(let w=0;w<o-1;w++)b[w]=s[w+1]-s[w],f[w]=i[w+1]-i[w],d[w]=b[w]/f[w];p[0]=d[0];for(let w=1;w<o-1;w++)d[w]===0||d[w-1]===0||d[w-1]>0!=d[w]>0?p[w]=0:(p[w]=3*(f[w-1]+f[w])/((2*f[w]+f[w-1])/d[w-1]+(f[w]+2*f[w-1])/d[w]),isFinite(p[w])||(p[w]=0));p[o-1]=d[o-2];for(let w=0;w<o-1;w++)r(l,i[w]+f[w]/3,s[w]+p[w]*f[w]/3,i[w+1]-f[w]/3,s[w+1]-p[w+1]*f[w]/3,i[w+1],s[w+1])}return l}var qo=new Set;function Ic(){for(let i of qo)i.syncRect(!0)}Vi&&(Xs(gh,Di,Ic),Xs(vh,Di,Ic,!0),Xs(un,Di,()=>{Ie.pxRatio=ve}));var jm=Pp(),Fm=Ep();function Bc(i,s,e,t){return(t?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((n,o)=>Wo(n,o,s,e))}function Hm(i,s){return i.map((e,t)=>t==0?{}:je({},s,e))}function Wo(i,s,e,t){return je({},s==0?e:t,i)}function Tp(i,s,e){return s==null?ji:[s,e]}var Vm=Tp;function Gm(i,s,e){return s==null?ji:hn(s,e,Qo,!0)}function Mp(i,s,e,t){return s==null?ji:gn(s,e,i.scales[t].log,!1)}var Im=Mp;function Ap(i,s,e,t){return s==null?ji:Zo(s,e,i.scales[t].log,!1)}var Bm=Ap;function Um(i,s,e,t,r){let n=at(wc(i),wc(s)),o=s-i,l=Bt(r/t*o,e);do{let p=e[l],d=t*p/o;if(d>=r&&n+(p<5?_s.get(p):0)<=17)return[p,d]}while(++l<e.length);return[0,0]}function Uc(i){let s,e;return i=i.replace(/(\d+)px/,(t,r)=>(s=Ve((e=+r)*ve))+"px"),[i,s,e]}function zm(i){i.show&&[i.font,i.labelFont].forEach(s=>{let e=ke(s[2]*ve,1);s[0]=s[0].replace(/[0-9.]+px/,e+"px"),s[1]=e})}function Ie(i,s,e){let t={mode:fe(i.mode,1)},r=t.mode;function n(a,c,h,m){let g=c.valToPct(a);return m+h*(c.dir==-1?1-g:g)}function o(a,c,h,m){let g=c.valToPct(a);return m+h*(c.dir==-1?g:1-g)}function l(a,c,h,m){return c.ori==0?n(a,c,h,m):o(a,c,h,m)}t.valToPosH=n,t.valToPosV=o;let p=!1;t.status=0;let d=t.root=At(Qu);if(i.id!=null&&(d.id=i.id),bt(d,i.class),i.title){let a=At(th,d);a.textContent=i.title}let b=It("canvas"),f=t.ctx=b.getContext("2d"),w=At(sh,d);Xs("click",w,a=>{a.target===L&&(Ee!=$i||Le!=wi)&&Ze.click(t,a)},!0);let P=t.under=At(ih,w);w.appendChild(b);let L=t.over=At(rh,w);i=Fi(i);let H=+fe(i.pxAlign,1),q=Vc(H);(i.plugins||[]).forEach(a=>{a.opts&&(i=a.opts(t,i)||i)});let J=i.ms||.001,_=t.series=r==1?Bc(i.series||[],Oc,Fc,!1):Hm(i.series||[null],jc),U=t.axes=Bc(i.axes||[],Cc,Dc,!0),M=t.scales={},oe=t.bands=i.bands||[];oe.forEach(a=>{a.fill=de(a.fill||null),a.dir=fe(a.dir,-1)});let N=r==2?_[1].facets[0].scale:_[0].scale,ae={axes:_d,series:wd},se=(i.drawOrder||["axes","series"]).map(a=>ae[a]);function pe(a){let c=a.distr==3?h=>ps(h>0?h:a.clamp(t,h,a.min,a.max,a.key)):a.distr==4?h=>Ro(h,a.asinh):a.distr==100?h=>a.fwd(h):h=>h;return h=>{let m=c(h),{_min:g,_max:$}=a,x=$-g;return(m-g)/x}}function te(a){let c=M[a];if(c==null){let h=(i.scales||wr)[a]||wr;if(h.from!=null){te(h.from);let m=je({},M[h.from],h,{key:a});m.valToPct=pe(m),M[a]=m}else{c=M[a]=je({},a==N?bp:Pm,h),c.key=a;let m=c.time,g=c.range,$=Es(g);if((a!=N||r==2&&!m)&&($&&(g[0]==null||g[1]==null)&&(g={min:g[0]==null?bc:{mode:1,hard:g[0],soft:g[0]},max:g[1]==null?bc:{mode:1,hard:g[1],soft:g[1]}},$=!1),!$&&bn(g))){let x=g;g=(S,E,C)=>E==null?ji:hn(E,C,x)}c.range=de(g||(m?Vm:a==N?c.distr==3?Im:c.distr==4?Bm:Tp:c.distr==3?Mp:c.distr==4?Ap:Gm)),c.auto=de($?!1:c.auto),c.clamp=de(c.clamp||_m),c._min=c._max=null,c.valToPct=pe(c)}}}te("x"),te("y"),r==1&&_.forEach(a=>{te(a.scale)}),U.forEach(a=>{te(a.scale)});for(let a in i.scales)te(a);let A=M[N],re=A.distr,V,Q;A.ori==0?(bt(d,Xu),V=n,Q=o):(bt(d,eh),V=o,Q=n);let W={};for(let a in M){let c=M[a];(c.min!=null||c.max!=null)&&(W[a]={min:c.min,max:c.max},c.min=c.max=null)}let ue=i.tzDate||(a=>new Date(Ve(a/J))),z=i.fmtDate||ta,lt=J==1?Xh(ue):sm(ue),Me=Mc(ue,Tc(J==1?Qh:tm,z)),he=Lc(ue,Ac(rm,z)),$e=[],le=t.legend=je({},am,i.legend),G=t.cursor=je({},hm,{drag:{y:r==2}},i.cursor),Fe=le.show,tt=G.show,Ae=le.markers;le.idxs=$e,Ae.width=de(Ae.width),Ae.dash=de(Ae.dash),Ae.stroke=de(Ae.stroke),Ae.fill=de(Ae.fill);let be,Dt,ht,Ce=[],Wt=[],os,xt=!1,gs={};if(le.live){let a=_[1]?_[1].values:null;xt=a!=null,os=xt?a(t,1,0):{_:0};for(let c in os)gs[c]=Yo}if(Fe)if(be=It("table",ph,d),ht=It("tbody",null,be),le.mount(t,be),xt){Dt=It("thead",null,be,ht);let a=It("tr",null,Dt);It("th",null,a);for(var oi in os)It("th",nc,a).textContent=oi}else bt(be,uh),le.live&&bt(be,dh);let ai={show:!0},Wi={show:!1};function Tr(a,c){if(c==0&&(xt||!le.live||r==2))return ji;let h=[],m=It("tr",hh,ht,ht.childNodes[c]);bt(m,a.class),a.show||bt(m,Qs);let g=It("th",null,m);if(Ae.show){let S=At(mh,g);if(c>0){let E=Ae.width(t,c);E&&(S.style.border=E+"px "+Ae.dash(t,c)+" "+Ae.stroke(t,c)),S.style.background=Ae.fill(t,c)}}let $=At(nc,g);a.label instanceof HTMLElement?$.appendChild(a.label):$.textContent=a.label,c>0&&(Ae.show||($.style.color=a.width>0?Ae.stroke(t,c):Ae.fill(t,c)),st("click",g,S=>{if(G._lock)return;Hs(S);let E=_.indexOf(a);if((S.ctrlKey||S.metaKey)!=le.isolate){let C=_.some((O,D)=>D>0&&D!=E&&O.show);_.forEach((O,D)=>{D>0&&Jt(D,C?D==E?ai:Wi:ai,!0,Ne.setSeries)})}else Jt(E,{show:!a.show},!0,Ne.setSeries)},!1),di&&st(cc,g,S=>{G._lock||(Hs(S),Jt(_.indexOf(a),ki,!0,Ne.setSeries))},!1));for(var x in os){let S=It("td",fh,m);S.textContent="--",h.push(S)}return[m,h]}let Rs=new Map;function st(a,c,h,m=!0){let g=Rs.get(c)||{},$=G.bind[a](t,c,h,m);$&&(Xs(a,c,g[a]=$),Rs.set(c,g))}function li(a,c,h){let m=Rs.get(c)||{};for(let g in m)(a==null||g==a)&&(Go(g,c,m[g]),delete m[g]);a==null&&Rs.delete(c)}let as=0,Ds=0,ie=0,R=0,Se=0,He=0,ci=Se,Ns=He,Kt=ie,js=R,mt=0,kt=0,ct=0,Nt=0;t.bbox={};let Cn=!1,Mr=!1,pi=!1,Fs=!1,Ar=!1,St=!1;function On(a,c,h){(h||a!=t.width||c!=t.height)&&ga(a,c),gi(!1),pi=!0,Mr=!0,vi()}function ga(a,c){t.width=as=ie=a,t.height=Ds=R=c,Se=He=0,md(),fd();let h=t.bbox;mt=h.left=Js(Se*ve,.5),kt=h.top=Js(He*ve,.5),ct=h.width=Js(ie*ve,.5),Nt=h.height=Js(R*ve,.5)}let dd=3;function ud(){let a=!1,c=0;for(;!a;){c++;let h=Sd(c),m=Ed(c);a=c==dd||h&&m,a||(ga(t.width,t.height),Mr=!0)}}function hd({width:a,height:c}){On(a,c)}t.setSize=hd;function md(){let a=!1,c=!1,h=!1,m=!1;U.forEach((g,$)=>{if(g.show&&g._show){let{side:x,_size:S}=g,E=x%2,C=g.label!=null?g.labelSize:0,O=S+C;O>0&&(E?(ie-=O,x==3?(Se+=O,m=!0):h=!0):(R-=O,x==0?(He+=O,a=!0):c=!0))}}),Vs[0]=a,Vs[1]=h,Vs[2]=c,Vs[3]=m,ie-=vs[1]+vs[3],Se+=vs[3],R-=vs[2]+vs[0],He+=vs[0]}function fd(){let a=Se+ie,c=He+R,h=Se,m=He;function g($,x){switch($){case 1:return a+=x,a-x;case 2:return c+=x,c-x;case 3:return h-=x,h+x;case 0:return m-=x,m+x}}U.forEach(($,x)=>{if($.show&&$._show){let S=$.side;$._pos=g(S,$._size),$.label!=null&&($._lpos=g(S,$.labelSize))}})}if(G.dataIdx==null){let a=G.hover,c=a.skip=new Set(a.skip??[]);c.add(void 0);let h=a.prox=de(a.prox),m=a.bias??=0;G.dataIdx=(g,$,x,S)=>{if($==0)return x;let E=x,C=h(g,$,x,S)??xe,O=C>=0&&C<xe,D=A.ori==0?ie:R,X=G.left,ge=s[0],me=s[$];if(c.has(me[x])){E=null;let ce=null,Z=null,I;if(m==0||m==-1)for(I=x;ce==null&&I-- >0;)c.has(me[I])||(ce=I);if(m==0||m==1)for(I=x;Z==null&&I++<me.length;)c.has(me[I])||(Z=I);if(ce!=null||Z!=null)if(O){let Pe=ce==null?-1/0:V(ge[ce],A,D,0),Re=Z==null?1/0:V(ge[Z],A,D,0),Ke=X-Pe,we=Re-X;Ke<=we?Ke<=C&&(E=ce):we<=C&&(E=Z)}else E=Z==null?ce:ce==null?Z:x-ce<=Z-x?ce:Z}else O&&Ge(X-V(ge[x],A,D,0))>C&&(E=null);return E}}let Hs=a=>{G.event=a};G.idxs=$e,G._lock=!1;let Qe=G.points;Qe.show=de(Qe.show),Qe.size=de(Qe.size),Qe.stroke=de(Qe.stroke),Qe.width=de(Qe.width),Qe.fill=de(Qe.fill);let Yt=t.focus=je({},i.focus||{alpha:.3},G.focus),di=Yt.prox>=0,ui=di&&Qe.one,Et=[],hi=[],mi=[];function va(a,c){let h=Qe.show(t,c);if(h instanceof HTMLElement)return bt(h,ch),bt(h,a.class),ts(h,-10,-10,ie,R),L.insertBefore(h,Et[c]),h}function ba(a,c){if(r==1||c>0){let h=r==1&&M[a.scale].time,m=a.value;a.value=h?Sc(m)?Lc(ue,Ac(m,z)):m||he:m||km,a.label=a.label||(h?fm:mm)}if(ui||c>0){a.width=a.width==null?1:a.width,a.paths=a.paths||jm||Ph,a.fillTo=de(a.fillTo||Tm),a.pxAlign=+fe(a.pxAlign,H),a.pxRound=Vc(a.pxAlign),a.stroke=de(a.stroke||null),a.fill=de(a.fill||null),a._stroke=a._fill=a._paths=a._focus=null;let h=Sm(at(1,a.width),1),m=a.points=je({},{size:h,width:at(1,h*.2),stroke:a.stroke,space:h*2,paths:Fm,_stroke:null,_fill:null},a.points);m.show=de(m.show),m.filter=de(m.filter),m.fill=de(m.fill),m.stroke=de(m.stroke),m.paths=de(m.paths),m.pxAlign=a.pxAlign}if(Fe){let h=Tr(a,c);Ce.splice(c,0,h[0]),Wt.splice(c,0,h[1]),le.values.push(null)}if(tt){$e.splice(c,0,null);let h=null;ui?c==0&&(h=va(a,c)):c>0&&(h=va(a,c)),Et.splice(c,0,h),hi.splice(c,0,0),mi.splice(c,0,0)}We("addSeries",c)}function gd(a,c){c=c??_.length,a=r==1?Wo(a,c,Oc,Fc):Wo(a,c,{},jc),_.splice(c,0,a),ba(_[c],c)}t.addSeries=gd;function vd(a){if(_.splice(a,1),Fe){le.values.splice(a,1),Wt.splice(a,1);let c=Ce.splice(a,1)[0];li(null,c.firstChild),c.remove()}tt&&($e.splice(a,1),Et.splice(a,1)[0].remove(),hi.splice(a,1),mi.splice(a,1)),We("delSeries",a)}t.delSeries=vd;let Vs=[!1,!1,!1,!1];function bd(a,c){if(a._show=a.show,a.show){let h=a.side%2,m=M[a.scale];m==null&&(a.scale=h?_[1].scale:N,m=M[a.scale]);let g=m.time;a.size=de(a.size),a.space=de(a.space),a.rotate=de(a.rotate),Es(a.incrs)&&a.incrs.forEach(x=>{!_s.has(x)&&_s.set(x,Xc(x))}),a.incrs=de(a.incrs||(m.distr==2?Yh:g?J==1?Zh:em:Zs)),a.splits=de(a.splits||(g&&m.distr==1?lt:m.distr==3?Bo:m.distr==4?bm:vm)),a.stroke=de(a.stroke),a.grid.stroke=de(a.grid.stroke),a.ticks.stroke=de(a.ticks.stroke),a.border.stroke=de(a.border.stroke);let $=a.values;a.values=Es($)&&!Es($[0])?de($):g?Es($)?Mc(ue,Tc($,z)):Sc($)?im(ue,$):$||Me:$||gm,a.filter=de(a.filter||(m.distr>=3&&m.log==10?wm:m.distr==3&&m.log==2?xm:Zc)),a.font=Uc(a.font),a.labelFont=Uc(a.labelFont),a._size=a.size(t,null,c,0),a._space=a._rotate=a._incrs=a._found=a._splits=a._values=null,a._size>0&&(Vs[c]=!0,a._el=At(nh,w))}}function Ki(a,c,h,m){let[g,$,x,S]=h,E=c%2,C=0;return E==0&&(S||$)&&(C=c==0&&!g||c==2&&!x?Ve(Cc.size/3):0),E==1&&(g||x)&&(C=c==1&&!$||c==3&&!S?Ve(Dc.size/2):0),C}let ya=t.padding=(i.padding||[Ki,Ki,Ki,Ki]).map(a=>de(fe(a,Ki))),vs=t._padding=ya.map((a,c)=>a(t,c,Vs,0)),Je,Be=null,Ue=null,Lr=r==1?_[0].idxs:null,jt=null,Yi=!1;function $a(a,c){if(s=a??[],t.data=t._data=s,r==2){Je=0;for(let h=1;h<_.length;h++)Je+=s[h][0].length}else{s.length==0&&(t.data=t._data=s=[[]]),jt=s[0],Je=jt.length;let h=s;if(re==2){h=s.slice();let m=h[0]=Array(Je);for(let g=0;g<Je;g++)m[g]=g}t._data=s=h}if(gi(!0),We("setData"),re==2&&(pi=!0),c!==!1){let h=A;h.auto(t,Yi)?Rn():ys(N,h.min,h.max),Fs=Fs||G.left>=0,St=!0,vi()}}t.setData=$a;function Rn(){Yi=!0;let a,c;r==1&&(Je>0?(Be=Lr[0]=0,Ue=Lr[1]=Je-1,a=s[0][Be],c=s[0][Ue],re==2?(a=Be,c=Ue):a==c&&(re==3?[a,c]=gn(a,a,A.log,!1):re==4?[a,c]=Zo(a,a,A.log,!1):A.time?c=a+Ve(86400/J):[a,c]=hn(a,c,Qo,!0))):(Be=Lr[0]=a=null,Ue=Lr[1]=c=null)),ys(N,a,c)}let Cr,fi,Dn,Nn,jn,Fn,Hn,Vn,Gn,pt;function wa(a,c,h,m,g,$){a??=ac,h??=ea,m??="butt",g??=ac,$??="round",a!=Cr&&(f.strokeStyle=Cr=a),g!=fi&&(f.fillStyle=fi=g),c!=Dn&&(f.lineWidth=Dn=c),$!=jn&&(f.lineJoin=jn=$),m!=Fn&&(f.lineCap=Fn=m),h!=Nn&&f.setLineDash(Nn=h)}function xa(a,c,h,m){c!=fi&&(f.fillStyle=fi=c),a!=Hn&&(f.font=Hn=a),h!=Vn&&(f.textAlign=Vn=h),m!=Gn&&(f.textBaseline=Gn=m)}function In(a,c,h,m,g=0){if(m.length>0&&a.auto(t,Yi)&&(c==null||c.min==null)){let $=fe(Be,0),x=fe(Ue,m.length-1),S=h.min==null?wh(m,$,x,g,a.distr==3):[h.min,h.max];a.min=Ut(a.min,h.min=S[0]),a.max=at(a.max,h.max=S[1])}}let ka={min:null,max:null};function yd(){for(let m in M){let g=M[m];W[m]==null&&(g.min==null||W[N]!=null&&g.auto(t,Yi))&&(W[m]=ka)}for(let m in M){let g=M[m];W[m]==null&&g.from!=null&&W[g.from]!=null&&(W[m]=ka)}W[N]!=null&&gi(!0);let a={};for(let m in W){let g=W[m];if(g!=null){let $=a[m]=Fi(M[m],Ah);if(g.min!=null)je($,g);else if(m!=N||r==2)if(Je==0&&$.from==null){let x=$.range(t,null,null,m);$.min=x[0],$.max=x[1]}else $.min=xe,$.max=-xe}}if(Je>0){_.forEach((m,g)=>{if(r==1){let $=m.scale,x=W[$];if(x==null)return;let S=a[$];if(g==0){let E=S.range(t,S.min,S.max,$);S.min=E[0],S.max=E[1],Be=Bt(S.min,s[0]),Ue=Bt(S.max,s[0]),Ue-Be>1&&(s[0][Be]<S.min&&Be++,s[0][Ue]>S.max&&Ue--),m.min=jt[Be],m.max=jt[Ue]}else m.show&&m.auto&&In(S,x,m,s[g],m.sorted);m.idxs[0]=Be,m.idxs[1]=Ue}else if(g>0&&m.show&&m.auto){let[$,x]=m.facets,S=$.scale,E=x.scale,[C,O]=s[g],D=a[S],X=a[E];D!=null&&In(D,W[S],$,C,$.sorted),X!=null&&In(X,W[E],x,O,x.sorted),m.min=x.min,m.max=x.max}});for(let m in a){let g=a[m],$=W[m];if(g.from==null&&($==null||$.min==null)){let x=g.range(t,g.min==xe?null:g.min,g.max==-xe?null:g.max,m);g.min=x[0],g.max=x[1]}}}for(let m in a){let g=a[m];if(g.from!=null){let $=a[g.from];if($.min==null)g.min=g.max=null;else{let x=g.range(t,$.min,$.max,m);g.min=x[0],g.max=x[1]}}}let c={},h=!1;for(let m in a){let g=a[m],$=M[m];if($.min!=g.min||$.max!=g.max){$.min=g.min,$.max=g.max;let x=$.distr;$._min=x==3?ps($.min):x==4?Ro($.min,$.asinh):x==100?$.fwd($.min):$.min,$._max=x==3?ps($.max):x==4?Ro($.max,$.asinh):x==100?$.fwd($.max):$.max,c[m]=h=!0}}if(h){_.forEach((m,g)=>{r==2?g>0&&c.y&&(m._paths=null):c[m.scale]&&(m._paths=null)});for(let m in c)pi=!0,We("setScale",m);tt&&G.left>=0&&(Fs=St=!0)}for(let m in W)W[m]=null}function $d(a){let c=Io(Be-1,0,Je-1),h=Io(Ue+1,0,Je-1);for(;a[c]==null&&c>0;)c--;for(;a[h]==null&&h<Je-1;)h++;return[c,h]}function wd(){if(Je>0){let a=_.some(c=>c._focus)&&pt!=Yt.alpha;a&&(f.globalAlpha=pt=Yt.alpha),_.forEach((c,h)=>{if(h>0&&c.show&&(Sa(h,!1),Sa(h,!0),c._paths==null)){let m=pt;pt!=c.alpha&&(f.globalAlpha=pt=c.alpha);let g=r==2?[0,s[h][0].length-1]:$d(s[h]);c._paths=c.paths(t,h,g[0],g[1]),pt!=m&&(f.globalAlpha=pt=m)}}),_.forEach((c,h)=>{if(h>0&&c.show){let m=pt;pt!=c.alpha&&(f.globalAlpha=pt=c.alpha),c._paths!=null&&Ea(h,!1);{let g=c._paths!=null?c._paths.gaps:null,$=c.points.show(t,h,Be,Ue,g),x=c.points.filter(t,h,$,g);($||x)&&(c.points._paths=c.points.paths(t,h,Be,Ue,x),Ea(h,!0))}pt!=m&&(f.globalAlpha=pt=m),We("drawSeries",h)}}),a&&(f.globalAlpha=pt=1)}}function Sa(a,c){let h=c?_[a].points:_[a];h._stroke=h.stroke(t,a),h._fill=h.fill(t,a)}function Ea(a,c){let h=c?_[a].points:_[a],{stroke:m,fill:g,clip:$,flags:x,_stroke:S=h._stroke,_fill:E=h._fill,_width:C=h.width}=h._paths;C=ke(C*ve,3);let O=null,D=C%2/2;c&&E==null&&(E=C>0?"#fff":S);let X=h.pxAlign==1&&D>0;if(X&&f.translate(D,D),!c){let ge=mt-C/2,me=kt-C/2,ce=ct+C,Z=Nt+C;O=new Path2D,O.rect(ge,me,ce,Z)}c?Bn(S,C,h.dash,h.cap,E,m,g,x,$):xd(a,S,C,h.dash,h.cap,E,m,g,x,O,$),X&&f.translate(-D,-D)}function xd(a,c,h,m,g,$,x,S,E,C,O){let D=!1;E!=0&&oe.forEach((X,ge)=>{if(X.series[0]==a){let me=_[X.series[1]],ce=s[X.series[1]],Z=(me._paths||wr).band;Es(Z)&&(Z=X.dir==1?Z[0]:Z[1]);let I,Pe=null;me.show&&Z&&kh(ce,Be,Ue)?(Pe=X.fill(t,ge)||$,I=me._paths.clip):Z=null,Bn(c,h,m,g,Pe,x,S,E,C,O,I,Z),D=!0}}),D||Bn(c,h,m,g,$,x,S,E,C,O)}let _a=Hi|zo;function Bn(a,c,h,m,g,$,x,S,E,C,O,D){wa(a,c,h,m,g),(E||C||D)&&(f.save(),E&&f.clip(E),C&&f.clip(C)),D?(S&_a)==_a?(f.clip(D),O&&f.clip(O),Rr(g,x),Or(a,$,c)):S&zo?(Rr(g,x),f.clip(D),Or(a,$,c)):S&Hi&&(f.save(),f.clip(D),O&&f.clip(O),Rr(g,x),f.restore(),Or(a,$,c)):(Rr(g,x),Or(a,$,c)),(E||C||D)&&f.restore()}function Or(a,c,h){h>0&&(c instanceof Map?c.forEach((m,g)=>{f.strokeStyle=Cr=g,f.stroke(m)}):c!=null&&a&&f.stroke(c))}function Rr(a,c){c instanceof Map?c.forEach((h,m)=>{f.fillStyle=fi=m,f.fill(h)}):c!=null&&a&&f.fill(c)}function kd(a,c,h,m){let g=U[a],$;if(m<=0)$=[0,0];else{let x=g._space=g.space(t,a,c,h,m),S=g._incrs=g.incrs(t,a,c,h,m,x);$=Um(c,h,S,m,x)}return g._found=$}function Un(a,c,h,m,g,$,x,S,E,C){let O=x%2/2;H==1&&f.translate(O,O),wa(S,x,E,C,S),f.beginPath();let D,X,ge,me,ce=g+(m==0||m==3?-$:$);h==0?(X=g,me=ce):(D=g,ge=ce);for(let Z=0;Z<a.length;Z++)c[Z]!=null&&(h==0?D=ge=a[Z]:X=me=a[Z],f.moveTo(D,X),f.lineTo(ge,me));f.stroke(),H==1&&f.translate(-O,-O)}function Sd(a){let c=!0;return U.forEach((h,m)=>{if(!h.show)return;let g=M[h.scale];if(g.min==null){h._show&&(c=!1,h._show=!1,gi(!1));return}else h._show||(c=!1,h._show=!0,gi(!1));let $=h.side,x=$%2,{min:S,max:E}=g,[C,O]=kd(m,S,E,x==0?ie:R);if(O==0)return;let D=g.distr==2,X=h._splits=h.splits(t,m,S,E,C,O,D),ge=g.distr==2?X.map(I=>jt[I]):X,me=g.distr==2?jt[X[1]]-jt[X[0]]:C,ce=h._values=h.values(t,h.filter(t,ge,m,O,me),m,O,me);h._rotate=$==2?h.rotate(t,ce,m,O):0;let Z=h._size;h._size=Lt(h.size(t,ce,m,a)),Z!=null&&h._size!=Z&&(c=!1)}),c}function Ed(a){let c=!0;return ya.forEach((h,m)=>{let g=h(t,m,Vs,a);g!=vs[m]&&(c=!1),vs[m]=g}),c}function _d(){for(let a=0;a<U.length;a++){let c=U[a];if(!c.show||!c._show)continue;let h=c.side,m=h%2,g,$,x=c.stroke(t,a),S=h==0||h==3?-1:1,[E,C]=c._found;if(c.label!=null){let rt=c.labelGap*S,vt=Ve((c._lpos+rt)*ve);xa(c.labelFont[0],x,"center",h==2?"top":oc),f.save(),m==1?(g=$=0,f.translate(vt,Ve(kt+Nt/2)),f.rotate((h==3?-dn:dn)/2)):(g=Ve(mt+ct/2),$=vt);let Bs=Yc(c.label)?c.label(t,a,E,C):c.label;f.fillText(Bs,g,$),f.restore()}if(C==0)continue;let O=M[c.scale],D=m==0?ct:Nt,X=m==0?mt:kt,ge=c._splits,me=O.distr==2?ge.map(rt=>jt[rt]):ge,ce=O.distr==2?jt[ge[1]]-jt[ge[0]]:E,Z=c.ticks,I=c.border,Pe=Z.show?Z.size:0,Re=Ve(Pe*ve),Ke=Ve((c.alignTo==2?c._size-Pe-c.gap:c.gap)*ve),we=c._rotate*-dn/180,De=q(c._pos*ve),ft=(Re+Ke)*S,it=De+ft;$=m==0?it:0,g=m==1?it:0;let _t=c.font[0],Ft=c.align==1?Oi:c.align==2?Lo:we>0?Oi:we<0?Lo:m==0?"center":h==3?Lo:Oi,Qt=we||m==1?"middle":h==2?"top":oc;xa(_t,x,Ft,Qt);let gt=c.font[1]*c.lineGap,Pt=ge.map(rt=>q(l(rt,O,D,X))),Ht=c._values;for(let rt=0;rt<Ht.length;rt++){let vt=Ht[rt];if(vt!=null){m==0?g=Pt[rt]:$=Pt[rt],vt=""+vt;let Bs=vt.indexOf(`
`)==-1?[vt]:vt.split(/\n/gm);for(let nt=0;nt<Bs.length;nt++){let za=Bs[nt];we?(f.save(),f.translate(g,$+nt*gt),f.rotate(we),f.fillText(za,0,0),f.restore()):f.fillText(za,g,$+nt*gt)}}}Z.show&&Un(Pt,Z.filter(t,me,a,C,ce),m,h,De,Re,ke(Z.width*ve,3),Z.stroke(t,a),Z.dash,Z.cap);let Xt=c.grid;Xt.show&&Un(Pt,Xt.filter(t,me,a,C,ce),m,m==0?2:1,m==0?kt:mt,m==0?Nt:ct,ke(Xt.width*ve,3),Xt.stroke(t,a),Xt.dash,Xt.cap),I.show&&Un([De],[1],m==0?1:0,m==0?1:2,m==1?kt:mt,m==1?Nt:ct,ke(I.width*ve,3),I.stroke(t,a),I.dash,I.cap)}We("drawAxes")}function gi(a){_.forEach((c,h)=>{h>0&&(c._paths=null,a&&(r==1?(c.min=null,c.max=null):c.facets.forEach(m=>{m.min=null,m.max=null})))})}let Dr=!1,zn=!1,Ji=[];function Pd(){zn=!1;for(let a=0;a<Ji.length;a++)We(...Ji[a]);Ji.length=0}function vi(){Dr||(jh(Pa),Dr=!0)}function Td(a,c=!1){Dr=!0,zn=c,a(t),Pa(),c&&Ji.length>0&&queueMicrotask(Pd)}t.batch=Td;function Pa(){if(Cn&&(yd(),Cn=!1),pi&&(ud(),pi=!1),Mr){if(Te(P,Oi,Se),Te(P,"top",He),Te(P,vr,ie),Te(P,br,R),Te(L,Oi,Se),Te(L,"top",He),Te(L,vr,ie),Te(L,br,R),Te(w,vr,as),Te(w,br,Ds),b.width=Ve(as*ve),b.height=Ve(Ds*ve),U.forEach(({_el:a,_show:c,_size:h,_pos:m,side:g})=>{if(a!=null)if(c){let $=g===3||g===0?h:0,x=g%2==1;Te(a,x?"left":"top",m-$),Te(a,x?"width":"height",h),Te(a,x?"top":"left",x?He:Se),Te(a,x?"height":"width",x?R:ie),Vo(a,Qs)}else bt(a,Qs)}),Cr=fi=Dn=jn=Fn=Hn=Vn=Gn=Nn=null,pt=1,Xi(!0),Se!=ci||He!=Ns||ie!=Kt||R!=js){gi(!1);let a=ie/Kt,c=R/js;if(tt&&!Fs&&G.left>=0){G.left*=a,G.top*=c,bi&&ts(bi,Ve(G.left),0,ie,R),yi&&ts(yi,0,Ve(G.top),ie,R);for(let h=0;h<Et.length;h++){let m=Et[h];m!=null&&(hi[h]*=a,mi[h]*=c,ts(m,Lt(hi[h]),Lt(mi[h]),ie,R))}}if(_e.show&&!Ar&&_e.left>=0&&_e.width>0){_e.left*=a,_e.width*=a,_e.top*=c,_e.height*=c;for(let h in Zn)Te(xi,h,_e[h])}ci=Se,Ns=He,Kt=ie,js=R}We("setSize"),Mr=!1}as>0&&Ds>0&&(f.clearRect(0,0,b.width,b.height),We("drawClear"),se.forEach(a=>a()),We("draw")),_e.show&&Ar&&(Nr(_e),Ar=!1),tt&&Fs&&(Is(null,!0,!1),Fs=!1),le.show&&le.live&&St&&(Yn(),St=!1),p||(p=!0,t.status=1,We("ready")),Yi=!1,Dr=!1}t.redraw=(a,c)=>{pi=c||!1,a!==!1?ys(N,A.min,A.max):vi()};function qn(a,c){let h=M[a];if(h.from==null){if(Je==0){let m=h.range(t,c.min,c.max,a);c.min=m[0],c.max=m[1]}if(c.min>c.max){let m=c.min;c.min=c.max,c.max=m}if(Je>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)return;a==N&&h.distr==2&&Je>0&&(c.min=Bt(c.min,s[0]),c.max=Bt(c.max,s[0]),c.min==c.max&&c.max++),W[a]=c,Cn=!0,vi()}}t.setScale=qn;let Wn,Kn,bi,yi,Ta,Ma,$i,wi,Aa,La,Ee,Le,bs=!1,Ze=G.drag,ze=Ze.x,qe=Ze.y;tt&&(G.x&&(Wn=At(ah,L)),G.y&&(Kn=At(lh,L)),A.ori==0?(bi=Wn,yi=Kn):(bi=Kn,yi=Wn),Ee=G.left,Le=G.top);let _e=t.select=je({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),xi=_e.show?At(oh,_e.over?L:P):null;function Nr(a,c){if(_e.show){for(let h in a)_e[h]=a[h],h in Zn&&Te(xi,h,a[h]);c!==!1&&We("setSelect")}}t.setSelect=Nr;function Md(a){if(_[a].show)Fe&&Vo(Ce[a],Qs);else if(Fe&&bt(Ce[a],Qs),tt){let h=ui?Et[0]:Et[a];h!=null&&ts(h,-10,-10,ie,R)}}function ys(a,c,h){qn(a,{min:c,max:h})}function Jt(a,c,h,m){c.focus!=null&&Rd(a),c.show!=null&&_.forEach((g,$)=>{$>0&&(a==$||a==null)&&(g.show=c.show,Md($),r==2?(ys(g.facets[0].scale,null,null),ys(g.facets[1].scale,null,null)):ys(g.scale,null,null),vi())}),h!==!1&&We("setSeries",a,c),m&&er("setSeries",t,a,c)}t.setSeries=Jt;function Ad(a,c){je(oe[a],c)}function Ld(a,c){a.fill=de(a.fill||null),a.dir=fe(a.dir,-1),c=c??oe.length,oe.splice(c,0,a)}function Cd(a){a==null?oe.length=0:oe.splice(a,1)}t.addBand=Ld,t.setBand=Ad,t.delBand=Cd;function Od(a,c){_[a].alpha=c,tt&&Et[a]!=null&&(Et[a].style.opacity=c),Fe&&Ce[a]&&(Ce[a].style.opacity=c)}let ls,$s,Gs,ki={focus:!0};function Rd(a){if(a!=Gs){let c=a==null,h=Yt.alpha!=1;_.forEach((m,g)=>{if(r==1||g>0){let $=c||g==0||g==a;m._focus=c?null:$,h&&Od(g,$?1:Yt.alpha)}}),Gs=a,h&&vi()}}Fe&&di&&st(pc,be,a=>{G._lock||(Hs(a),Gs!=null&&Jt(null,ki,!0,Ne.setSeries))});function Zt(a,c,h){let m=M[c];h&&(a=a/ve-(m.ori==1?He:Se));let g=ie;m.ori==1&&(g=R,a=g-a),m.dir==-1&&(a=g-a);let $=m._min,x=m._max,S=a/g,E=$+(x-$)*S,C=m.distr;return C==3?Ni(10,E):C==4?Eh(E,m.asinh):C==100?m.bwd(E):E}function Dd(a,c){let h=Zt(a,N,c);return Bt(h,s[0],Be,Ue)}t.valToIdx=a=>Bt(a,s[0]),t.posToIdx=Dd,t.posToVal=Zt,t.valToPos=(a,c,h)=>M[c].ori==0?n(a,M[c],h?ct:ie,h?mt:0):o(a,M[c],h?Nt:R,h?kt:0),t.setCursor=(a,c,h)=>{Ee=a.left,Le=a.top,Is(null,c,h)};function Ca(a,c){Te(xi,Oi,_e.left=a),Te(xi,vr,_e.width=c)}function Oa(a,c){Te(xi,"top",_e.top=a),Te(xi,br,_e.height=c)}let Zi=A.ori==0?Ca:Oa,Qi=A.ori==1?Ca:Oa;function Nd(){if(Fe&&le.live)for(let a=r==2?1:0;a<_.length;a++){if(a==0&&xt)continue;let c=le.values[a],h=0;for(let m in c)Wt[a][h++].firstChild.nodeValue=c[m]}}function Yn(a,c){if(a!=null&&(a.idxs?a.idxs.forEach((h,m)=>{$e[m]=h}):Mh(a.idx)||$e.fill(a.idx),le.idx=$e[0]),Fe&&le.live){for(let h=0;h<_.length;h++)(h>0||r==1&&!xt)&&jd(h,$e[h]);Nd()}St=!1,c!==!1&&We("setLegend")}t.setLegend=Yn;function jd(a,c){let h=_[a],m=a==0&&re==2?jt:s[a],g;xt?g=h.values(t,a,c)??gs:(g=h.value(t,c==null?null:m[c],a,c),g=g==null?gs:{_:g}),le.values[a]=g}function Is(a,c,h){Aa=Ee,La=Le,[Ee,Le]=G.move(t,Ee,Le),G.left=Ee,G.top=Le,tt&&(bi&&ts(bi,Ve(Ee),0,ie,R),yi&&ts(yi,0,Ve(Le),ie,R));let m,g=Be>Ue;ls=xe,$s=null;let $=A.ori==0?ie:R,x=A.ori==1?ie:R;if(Ee<0||Je==0||g){m=G.idx=null;for(let S=0;S<_.length;S++){let E=Et[S];E!=null&&ts(E,-10,-10,ie,R)}di&&Jt(null,ki,!0,a==null&&Ne.setSeries),le.live&&($e.fill(m),St=!0)}else{let S,E,C;r==1&&(S=A.ori==0?Ee:Le,E=Zt(S,N),m=G.idx=Bt(E,s[0],Be,Ue),C=V(s[0][m],A,$,0));let O=-10,D=-10,X=0,ge=0,me=!0,ce="",Z="";for(let I=r==2?1:0;I<_.length;I++){let Pe=_[I],Re=$e[I],Ke=Re==null?null:r==1?s[I][Re]:s[I][1][Re],we=G.dataIdx(t,I,m,E),De=we==null?null:r==1?s[I][we]:s[I][1][we];if(St=St||De!=Ke||we!=Re,$e[I]=we,I>0&&Pe.show){let ft=we==null?-10:we==m?C:V(r==1?s[0][we]:s[I][0][we],A,$,0),it=De==null?-10:Q(De,r==1?M[Pe.scale]:M[Pe.facets[1].scale],x,0);if(di&&De!=null){let _t=A.ori==1?Ee:Le,Ft=Ge(Yt.dist(t,I,we,it,_t));if(Ft<ls){let Qt=Yt.bias;if(Qt!=0){let gt=Zt(_t,Pe.scale),Pt=De>=0?1:-1,Ht=gt>=0?1:-1;Ht==Pt&&(Ht==1?Qt==1?De>=gt:De<=gt:Qt==1?De<=gt:De>=gt)&&(ls=Ft,$s=I)}else ls=Ft,$s=I}}if(St||ui){let _t,Ft;A.ori==0?(_t=ft,Ft=it):(_t=it,Ft=ft);let Qt,gt,Pt,Ht,Xt,rt,vt=!0,Bs=Qe.bbox;if(Bs!=null){vt=!1;let nt=Bs(t,I);Pt=nt.left,Ht=nt.top,Qt=nt.width,gt=nt.height}else Pt=_t,Ht=Ft,Qt=gt=Qe.size(t,I);if(rt=Qe.fill(t,I),Xt=Qe.stroke(t,I),ui)I==$s&&ls<=Yt.prox&&(O=Pt,D=Ht,X=Qt,ge=gt,me=vt,ce=rt,Z=Xt);else{let nt=Et[I];nt!=null&&(hi[I]=Pt,mi[I]=Ht,vc(nt,Qt,gt,vt),fc(nt,rt,Xt),ts(nt,Lt(Pt),Lt(Ht),ie,R))}}}}if(ui){let I=Yt.prox,Pe=Gs==null?ls<=I:ls>I||$s!=Gs;if(St||Pe){let Re=Et[0];Re!=null&&(hi[0]=O,mi[0]=D,vc(Re,X,ge,me),fc(Re,ce,Z),ts(Re,Lt(O),Lt(D),ie,R))}}}if(_e.show&&bs)if(a!=null){let[S,E]=Ne.scales,[C,O]=Ne.match,[D,X]=a.cursor.sync.scales,ge=a.cursor.drag;if(ze=ge._x,qe=ge._y,ze||qe){let{left:me,top:ce,width:Z,height:I}=a.select,Pe=a.scales[D].ori,Re=a.posToVal,Ke,we,De,ft,it,_t=S!=null&&C(S,D),Ft=E!=null&&O(E,X);_t&&ze?(Pe==0?(Ke=me,we=Z):(Ke=ce,we=I),De=M[S],ft=V(Re(Ke,D),De,$,0),it=V(Re(Ke+we,D),De,$,0),Zi(Ut(ft,it),Ge(it-ft))):Zi(0,$),Ft&&qe?(Pe==1?(Ke=me,we=Z):(Ke=ce,we=I),De=M[E],ft=Q(Re(Ke,X),De,x,0),it=Q(Re(Ke+we,X),De,x,0),Qi(Ut(ft,it),Ge(it-ft))):Qi(0,x)}else Qn()}else{let S=Ge(Aa-Ta),E=Ge(La-Ma);if(A.ori==1){let X=S;S=E,E=X}ze=Ze.x&&S>=Ze.dist,qe=Ze.y&&E>=Ze.dist;let C=Ze.uni;C!=null?ze&&qe&&(ze=S>=C,qe=E>=C,!ze&&!qe&&(E>S?qe=!0:ze=!0)):Ze.x&&Ze.y&&(ze||qe)&&(ze=qe=!0);let O,D;ze&&(A.ori==0?(O=$i,D=Ee):(O=wi,D=Le),Zi(Ut(O,D),Ge(D-O)),qe||Qi(0,x)),qe&&(A.ori==1?(O=$i,D=Ee):(O=wi,D=Le),Qi(Ut(O,D),Ge(D-O)),ze||Zi(0,$)),!ze&&!qe&&(Zi(0,0),Qi(0,0))}if(Ze._x=ze,Ze._y=qe,a==null){if(h){if(Ua!=null){let[S,E]=Ne.scales;Ne.values[0]=S!=null?Zt(A.ori==0?Ee:Le,S):null,Ne.values[1]=E!=null?Zt(A.ori==1?Ee:Le,E):null}er(Co,t,Ee,Le,ie,R,m)}if(di){let S=h&&Ne.setSeries,E=Yt.prox;Gs==null?ls<=E&&Jt($s,ki,!0,S):ls>E?Jt(null,ki,!0,S):$s!=Gs&&Jt($s,ki,!0,S)}}St&&(le.idx=m,Yn()),c!==!1&&We("setCursor")}let ws=null;Object.defineProperty(t,"rect",{get(){return ws==null&&Xi(!1),ws}});function Xi(a=!1){a?ws=null:(ws=L.getBoundingClientRect(),We("syncRect",ws))}function Ra(a,c,h,m,g,$,x){G._lock||bs&&a!=null&&a.movementX==0&&a.movementY==0||(Jn(a,c,h,m,g,$,x,!1,a!=null),a!=null?Is(null,!0,!0):Is(c,!0,!1))}function Jn(a,c,h,m,g,$,x,S,E){if(ws==null&&Xi(!1),Hs(a),a!=null)h=a.clientX-ws.left,m=a.clientY-ws.top;else{if(h<0||m<0){Ee=-10,Le=-10;return}let[C,O]=Ne.scales,D=c.cursor.sync,[X,ge]=D.values,[me,ce]=D.scales,[Z,I]=Ne.match,Pe=c.axes[0].side%2==1,Re=A.ori==0?ie:R,Ke=A.ori==1?ie:R,we=Pe?$:g,De=Pe?g:$,ft=Pe?m:h,it=Pe?h:m;if(me!=null?h=Z(C,me)?l(X,M[C],Re,0):-10:h=Re*(ft/we),ce!=null?m=I(O,ce)?l(ge,M[O],Ke,0):-10:m=Ke*(it/De),A.ori==1){let _t=h;h=m,m=_t}}E&&(c==null||c.cursor.event.type==Co)&&((h<=1||h>=ie-1)&&(h=Js(h,ie)),(m<=1||m>=R-1)&&(m=Js(m,R))),S?(Ta=h,Ma=m,[$i,wi]=G.move(t,h,m)):(Ee=h,Le=m)}let Zn={width:0,height:0,left:0,top:0};function Qn(){Nr(Zn,!1)}let Da,Na,ja,Fa;function Ha(a,c,h,m,g,$,x){bs=!0,ze=qe=Ze._x=Ze._y=!1,Jn(a,c,h,m,g,$,x,!0,!1),a!=null&&(st(Oo,Fo,Va,!1),er(lc,t,$i,wi,ie,R,null));let{left:S,top:E,width:C,height:O}=_e;Da=S,Na=E,ja=C,Fa=O}function Va(a,c,h,m,g,$,x){bs=Ze._x=Ze._y=!1,Jn(a,c,h,m,g,$,x,!1,!0);let{left:S,top:E,width:C,height:O}=_e,D=C>0||O>0,X=Da!=S||Na!=E||ja!=C||Fa!=O;if(D&&X&&Nr(_e),Ze.setScale&&D&&X){let ge=S,me=C,ce=E,Z=O;if(A.ori==1&&(ge=E,me=O,ce=S,Z=C),ze&&ys(N,Zt(ge,N),Zt(ge+me,N)),qe)for(let I in M){let Pe=M[I];I!=N&&Pe.from==null&&Pe.min!=xe&&ys(I,Zt(ce+Z,I),Zt(ce,I))}Qn()}else G.lock&&(G._lock=!G._lock,Is(c,!0,a!=null));a!=null&&(li(Oo,Fo),er(Oo,t,Ee,Le,ie,R,null))}function Fd(a,c,h,m,g,$,x){if(G._lock)return;Hs(a);let S=bs;if(bs){let E=!0,C=!0,O=10,D,X;A.ori==0?(D=ze,X=qe):(D=qe,X=ze),D&&X&&(E=Ee<=O||Ee>=ie-O,C=Le<=O||Le>=R-O),D&&E&&(Ee=Ee<$i?0:ie),X&&C&&(Le=Le<wi?0:R),Is(null,!0,!0),bs=!1}Ee=-10,Le=-10,$e.fill(null),Is(null,!0,!0),S&&(bs=S)}function Ga(a,c,h,m,g,$,x){G._lock||(Hs(a),Rn(),Qn(),a!=null&&er(dc,t,Ee,Le,ie,R,null))}function Ia(){U.forEach(zm),On(t.width,t.height,!0)}Xs(un,Di,Ia);let Si={};Si.mousedown=Ha,Si.mousemove=Ra,Si.mouseup=Va,Si.dblclick=Ga,Si.setSeries=(a,c,h,m)=>{let g=Ne.match[2];h=g(t,c,h),h!=-1&&Jt(h,m,!0,!1)},tt&&(st(lc,L,Ha),st(Co,L,Ra),st(cc,L,a=>{Hs(a),Xi(!1)}),st(pc,L,Fd),st(dc,L,Ga),qo.add(t),t.syncRect=Xi);let jr=t.hooks=i.hooks||{};function We(a,c,h){zn?Ji.push([a,c,h]):a in jr&&jr[a].forEach(m=>{m.call(null,t,c,h)})}(i.plugins||[]).forEach(a=>{for(let c in a.hooks)jr[c]=(jr[c]||[]).concat(a.hooks[c])});let Ba=(a,c,h)=>h,Ne=je({key:null,setSeries:!1,filters:{pub:xc,sub:xc},scales:[N,_[1]?_[1].scale:null],match:[kc,kc,Ba],values:[null,null]},G.sync);Ne.match.length==2&&Ne.match.push(Ba),G.sync=Ne;let Ua=Ne.key,Xn=yp(Ua);function er(a,c,h,m,g,$,x){Ne.filters.pub(a,c,h,m,g,$,x)&&Xn.pub(a,c,h,m,g,$,x)}Xn.sub(t);function Hd(a,c,h,m,g,$,x){Ne.filters.sub(a,c,h,m,g,$,x)&&Si[a](null,c,h,m,g,$,x)}t.pub=Hd;function Vd(){Xn.unsub(t),qo.delete(t),Rs.clear(),Go(un,Di,Ia),d.remove(),be?.remove(),We("destroy")}t.destroy=Vd;function eo(){We("init",i,s),$a(s||i.data,!1),W[N]?qn(N,W[N]):Rn(),Ar=_e.show&&(_e.width>0||_e.height>0),Fs=St=!0,On(i.width,i.height)}return _.forEach(ba),U.forEach(bd),e?e instanceof HTMLElement?(e.appendChild(d),eo()):e(t,eo):eo(),t}Ie.assign=je;Ie.fmtNum=Xo;Ie.rangeNum=hn;Ie.rangeLog=gn;Ie.rangeAsinh=Zo;Ie.orient=ti;Ie.pxRatio=ve;Ie.join=Nh;Ie.fmtDate=ta,Ie.tzDate=Wh;Ie.sync=yp;{Ie.addGap=Mm,Ie.clipGaps=yn;let i=Ie.paths={points:Ep};i.linear=Pp,i.stepped=Cm,i.bars=Om,i.spline=Dm}var la=150,qm=6,us=class extends F{constructor(){super(...arguments);this.nodes=[];this.seats=[];this.version=0;this.kind="";this.resized=new ResizeObserver(()=>this.resize());this.scheme=matchMedia("(prefers-color-scheme: dark)");this.renew=()=>{this.forget(),this.requestUpdate()}}connectedCallback(){super.connectedCallback(),this.resized.observe(this),this.scheme.addEventListener("change",this.renew)}disconnectedCallback(){this.resized.disconnect(),this.scheme.removeEventListener("change",this.renew),this.forget(),super.disconnectedCallback()}forget(){this.plot?.destroy(),this.plot=void 0,this.kind=""}resize(){this.plot&&this.clientWidth>0&&this.plot.setSize({width:this.clientWidth,height:la})}get drawn(){return this.seats.length===2?this.seats.slice(0,1):this.seats}get data(){let e=this.drawn.map((t,r)=>this.nodes.map(n=>n.judged?.values[r]??null));return[this.nodes.map((t,r)=>r),...e]}updated(e){let t=this.renderRoot.querySelector(".plot");if(!t)return this.forget();let r=[...this.drawn,document.documentElement.style.colorScheme].join();r!==this.kind&&this.forget(),this.plot?this.plot.setData(this.data):this.plot=new Ie(this.options(),this.data,t),this.kind=r,this.plot.redraw()}options(){let e=d=>Wm(this,d),[t,r,n,o]=[e("--quiet"),e("--edge"),e("--accent"),e("--good")],l={stroke:t,grid:{stroke:r,width:1},ticks:{show:!1},font:"12px system-ui, sans-serif"},p=()=>Math.max(this.nodes.length-1,1);return{width:this.clientWidth||300,height:la,padding:[8,8,0,0],legend:{show:!1},cursor:{y:!1,drag:{x:!1,y:!1},bind:{click:d=>()=>(this.go(d),null)}},scales:{x:{time:!1,range:()=>[0,p()]},y:{range:()=>[-1.05,1.05]}},axes:[{...l,size:24,incrs:[1,2,5,10,20,50,100,200],space:p()<qm?20:40},{...l,size:34,splits:()=>[-1,0,1],values:()=>["−1","0","+1"]}],series:[{},...this.drawn.map((d,b)=>({label:d,stroke:[n,o,t][b%3],width:2,fill:this.drawn.length===1?`color-mix(in srgb, ${n} 16%, transparent)`:void 0,fillTo:0,spanGaps:!0,points:{show:!0,size:5}}))],hooks:{draw:[d=>this.drawCurrent(d,e("--text"),e("--bad"))]}}}drawCurrent(e,t,r){let{ctx:n,bbox:o}=e,l=this.nodes.indexOf(this.current);if(n.save(),n.lineWidth=2*devicePixelRatio,l>=0){let p=e.valToPos(l,"x",!0);n.strokeStyle=t,n.beginPath(),n.moveTo(p,o.top),n.lineTo(p,o.top+o.height),n.stroke()}n.strokeStyle=r;for(let[p,{judged:d}]of this.nodes.entries()){let b=d?.values[0];!d?.mark||b===null||b===void 0||(n.beginPath(),n.arc(e.valToPos(p,"x",!0),e.valToPos(b,"y",!0),6*devicePixelRatio,0,2*Math.PI),n.stroke())}n.restore()}go(e){let t=this.nodes[e.cursor.idx??-1];t&&this.dispatchEvent(new CustomEvent("show",{detail:t}))}render(){let e=this.nodes.filter(({judged:t})=>t);return e.length===0?y:u`
      <div class="plot" aria-hidden="true"></div>
      <p class="quiet">Value for ${this.drawn.join(", ")}: +1 won, −1 lost. Circles are mistakes; click to see a position.</p>
      <details>
        <summary class="quiet">As a table</summary>
        <table>
          ${e.map(t=>u`<tr>
              <th scope="row">${t.ply} ${t.move}</th>
              ${t.judged.values.map(r=>u`<td>${Gt(r)}</td>`)}
            </tr>`)}
        </table>
      </details>
    `}};us.styles=[K,Y,j`
      :host {
        display: block;
        min-width: 0;
      }
      .plot {
        cursor: pointer;
        min-height: ${la}px;
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
    `],v([k({attribute:!1})],us.prototype,"nodes",2),v([k({attribute:!1})],us.prototype,"current",2),v([k({attribute:!1})],us.prototype,"seats",2),v([k({type:Number})],us.prototype,"version",2),us=v([B("boardgym-analyse-graph")],us);function Wm(i,s){let e=document.createElement("span");e.style.color=`var(${s})`,i.shadowRoot.append(e);let t=getComputedStyle(e).color;return e.remove(),t}var ca={"":"",inaccuracy:"?!",mistake:"?",blunder:"??"},Ps=class extends F{constructor(){super(...arguments);this.version=0}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}updated(e){let t=this.renderRoot.querySelector(".list"),r=this.renderRoot.querySelector('[aria-current="true"]');if(!t||!r)return;let[n,o]=[r.offsetTop-t.offsetTop,r.offsetTop-t.offsetTop+r.offsetHeight];(n<t.scrollTop||o>t.scrollTop+t.clientHeight)&&(t.scrollTop=n-t.clientHeight/2)}render(){let e=this.current.parent&&this.current.parent.children[0]!==this.current;return u`
      <div class="list" tabindex="0" role="region" aria-label="Moves">
        ${this.root.children.length===0?u`<p class="quiet">Click a move on the board, or a line of the search.</p>`:this.renderFrom(this.root,!0)}
      </div>
      ${e?u`<button class="plain" @click=${()=>this.tell("forget",this.current)}>Remove this variation</button>`:y}
    `}renderFrom(e,t){let r=[];for(let n=e,o=t;n.children[0];){let[l,...p]=n.children;r.push(this.renderMove(l,o||l.ply%2===1));for(let d of p)r.push(u`<span class="variation">${this.renderMove(d,!0)}${this.renderFrom(d,!1)}</span>`);o=p.length>0,n=l}return r}renderMove(e,t){let r=e.judged?.mark??"";return u`${t?u`<span class="number">${e.ply}.</span>`:y}<button
        class="move ${e.judged?.seat===-1?"roll":""}"
        aria-current=${e===this.current?"true":y}
        title=${e.judged?.words||y}
        @click=${()=>this.tell("show",e)}
      >
        ${e.move}${r?u`<span class="sign" aria-hidden="true">${ca[r]}</span><span class="visually-hidden">${r}</span>`:y}
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
    `],v([k({attribute:!1})],Ps.prototype,"root",2),v([k({attribute:!1})],Ps.prototype,"current",2),v([k({type:Number})],Ps.prototype,"version",2),Ps=v([B("boardgym-analyse-moves")],Ps);var si=class extends F{constructor(){super(...arguments);this.version=0}render(){let{session:e}=this,t=e.current.line,r=t.filter(({judged:l})=>l?.mark),n=t.filter(({judged:l})=>l?.note),o=!e.isJudging&&t.every(({judged:l})=>l);return u`
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
        ${e.judgeMessage?u`<p class="error">${e.judgeMessage}</p>`:y}
        ${o&&r.length===0?u`<p>No mistake was found.</p>`:y}
      </div>
      <boardgym-analyse-graph
        .nodes=${t}
        .current=${e.current}
        .seats=${e.position.game.seats}
        .version=${e.version}
        @show=${l=>{e.show(l.detail)}}
      ></boardgym-analyse-graph>
      ${r.length>0?u`<ol class="mistakes" aria-label="Mistakes">
            ${r.map(l=>u`<li>
                <button aria-current=${l===e.current?"true":y} @click=${()=>{e.show(l)}}>
                  <span class="number">${l.ply}.</span><span class="sign">${ca[l.judged.mark]}</span>
                  <span>${l.judged.words}</span>
                </button>
              </li>`)}
          </ol>`:y}
      ${n.length>0?u`<p class="quiet">Unknown at ${n.length} positions: ${n[0].judged.note}.</p>`:y}
    `}};si.styles=[K,Y,j`
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
    `],v([k({attribute:!1})],si.prototype,"session",2),v([k({type:Number})],si.prototype,"version",2),si=v([B("boardgym-analyse-judge")],si);var pa=i=>ot("/analysis/position",i),Lp=(i,s)=>ot(`/analysis/openings/${i}`,s),Cp=(i,s)=>ot("/analysis/openings-of-plays",{game:i,options:s}),Op=i=>Object.entries(i).map(([s,e])=>`${s}=${e}`);async function Rp(i,s,e){let t=new FormData;t.set("file",i),t.set("game",s);for(let o of Op(e))t.append("option",o);let r=await fetch("/api/analysis/openings",{method:"POST",body:t}),n=await r.json().catch(()=>null);if(!r.ok||!n)throw new Error(n?.error??`The studio answered ${r.status}.`);return n}function da(i,s,e,t){let r=new URLSearchParams({game:i.game,moves:i.moves.join(" "),policy:s,under:e.join(" "),plies:"1"});i.start&&r.set("start",i.start),r.set("pruning",String(t));for(let n of Op(i.options))r.append("option",n);return Xe(`/analysis/tree?${r}`)}async function Dp(i,s,e,t){let r=await fetch("/api/analysis/game",{method:"POST",headers:{"Content-Type":"application/json"},body:JSON.stringify({...i,policy:s}),signal:t});if(!r.ok||!r.body){let l=await r.json().catch(()=>null);throw new Error(l?.error??`The studio answered ${r.status}.`)}let n="",o=r.body.pipeThrough(new TextDecoderStream).getReader();for(;;){let{done:l,value:p}=await o.read();if(l)return;n+=p;let d=n.split(`

`);n=d.pop()??"";for(let b of d){if(!b.startsWith("data: "))continue;let f=JSON.parse(b.slice(6));if(f.kind==="ply"&&e(f),f.kind==="error")throw new Error(f.error)}}}var Km=1e3,kn=class{constructor(s){this.on=s;this.wanted=new Map;this.isClosed=!1;this.timer=0;this.asked=0}ask(s){let e={...s,number:++this.asked};this.wanted.set(s.panel,e),this.send(e)}stop(s){this.wanted.delete(s)&&this.send({panel:s,stop:!0})}close(){this.isClosed=!0,clearTimeout(this.timer),this.socket?.close()}send(s){this.socket?.readyState===WebSocket.OPEN?this.socket.send(JSON.stringify(s)):this.socket||this.open()}open(){if(this.isClosed||this.socket)return;let s=new WebSocket(`${location.protocol==="https:"?"wss":"ws"}://${location.host}/api/analysis`);this.socket=s,s.onopen=()=>{for(let e of this.wanted.values())s.send(JSON.stringify(e))},s.onmessage=e=>this.take(e.data),s.onclose=()=>{this.socket=void 0,this.wanted.size>0&&(this.timer=setTimeout(()=>this.open(),Km))}}take(s){let e=JSON.parse(s);e.panel&&e.number!==this.wanted.get(e.panel)?.number||(e.panel&&(e.kind==="done"||e.kind==="error")&&this.wanted.delete(e.panel),this.on(e))}};var wt=class extends F{constructor(){super(...arguments);this.seats=[];this.palette={};this.name="";this.rows=[];this.message="";this.isBusy=!1;this.asked=0;this.of=""}get rules(){return JSON.stringify([this.place.game,this.place.options])}willUpdate(e){e.has("place")&&(this.rules!==this.of&&(this.file=void 0),this.of=this.rules,this.look())}async look(){let e=++this.asked;if(this.rows=[],!!this.file)try{let{moves:t}=await Lp(this.file.id,this.place);e===this.asked&&(this.rows=t)}catch(t){e===this.asked&&(this.message=ne(t))}}async take(e,t){this.message="",this.isBusy=!0;try{this.file=await t(),this.name=e}catch(r){this.message=ne(r)}this.isBusy=!1,await this.look()}chosen(e){let t=e.target,r=t.files?.[0],{game:n,options:o}=this.place;r&&this.take(r.name,()=>Rp(r,n,o)),t.value=""}render(){let{file:e}=this;return u`
      <div class="field">
        <label for="file">A file of games</label>
        <input id="file" type="file" accept=".game,.json,.jsonl,.othello,.connect4,.mat,.wtb" ?disabled=${this.isBusy} @change=${this.chosen} />
      </div>
      <p>
        <button
          ?disabled=${this.isBusy}
          @click=${()=>this.take("the studio's games",()=>Cp(this.place.game,this.place.options))}
        >
          The studio's own games
        </button>
      </p>
      <div role="status">
        ${this.isBusy?u`<p class="quiet">Counting the games …</p>`:y}
        ${this.message?u`<p class="error">${this.message}</p>`:y}
        ${e?u`<p class="quiet">${this.summary(e)}</p>`:y}
      </div>
      ${e?this.renderMoves():y}
    `}summary({games:e,others:t,positions:r}){let n=t>0?`; ${t.toLocaleString("en")} of other games or rules left out`:"";return`${this.name}: ${e.toLocaleString("en")} games, ${r.toLocaleString("en")} positions${n}.`}renderMoves(){return this.rows.length===0?u`<p>No game of these came here.</p>`:u`<table>
      <thead>
        <tr>
          <th scope="col">Move</th>
          <th scope="col">Games</th>
          <th scope="col">Score</th>
          <th scope="col">Won by ${this.seats[0]} · drawn · won by ${this.seats.slice(1).join(", ")}</th>
        </tr>
      </thead>
      <tbody>
        ${this.rows.map(e=>u`<tr>
            <td><button @click=${()=>this.dispatchEvent(new CustomEvent("try",{detail:[e.move]}))}>${e.move}</button></td>
            <td>${e.games.toLocaleString("en")}</td>
            <td>${e.score===null?"–":`${(100*e.score).toFixed(0)} %`}</td>
            <td>${this.renderBar(e)}</td>
          </tr>`)}
      </tbody>
    </table>`}renderBar({wins:e,draws:t}){let r=e.reduce((d,b)=>d+b,t);if(r===0)return"–";let n=d=>100*d/r,o=[[e[0]??0,this.palette["piece-0"]??""],[t,""],...e.slice(1).map((d,b)=>[d,this.palette[`piece-${b+1}`]??""])],l=0,p=`${e[0]} won by ${this.seats[0]}, ${t} drawn, ${e.slice(1).join(", ")} won by ${this.seats.slice(1).join(", ")}`;return u`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${p}>
      ${o.map(([d,b])=>{let f=l;return l+=n(d),Ym(f,n(d),b)})}
    </svg>`}};wt.styles=[K,Y,j`
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
    `],v([k({attribute:!1})],wt.prototype,"place",2),v([k({attribute:!1})],wt.prototype,"seats",2),v([k({attribute:!1})],wt.prototype,"palette",2),v([T()],wt.prototype,"file",2),v([T()],wt.prototype,"name",2),v([T()],wt.prototype,"rows",2),v([T()],wt.prototype,"message",2),v([T()],wt.prototype,"isBusy",2),wt=v([B("boardgym-analyse-openings")],wt);var Ym=(i,s,e)=>ee`<rect x=${i} y="0" width=${s} height="10" fill=${e||y} class=${e?y:"draw"} stroke="gray" stroke-width="0.3" />`;var Ts={elapsed:0,isSearching:!1,isReady:!0,message:"",note:""},ua=[1,3,10,30,60,300],Np=14,Ct=class extends F{constructor(){super(...arguments);this.heading="";this.finding=Ts;this.seats=[];this.suggestions=[];this.exact=!1;this.leavable=!1}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}change(e){this.tell("settings",e)}render(){let{finding:e,exact:t}=this;return u`
      <div class="head">
        <h2>${this.heading}</h2>
        ${e.found?u`<span class="value">${this.worthOf(e.found)}</span>`:y}
        ${e.note?y:u`<button class="toggle" aria-pressed=${e.isSearching} @click=${()=>this.tell("toggle")}>
              ${e.isSearching?"Stop":"Search"}
            </button>`}
        ${this.leavable?u`<button class="plain" aria-label="Remove this agent" @click=${()=>this.tell("leave")}>✕</button>`:y}
      </div>
      ${e.note?y:u`<p class="effort">${this.effortText()}</p>`}
      ${t?y:this.renderSettings()}
      <div role="status">
        ${e.message?u`<p class="error">${e.message}</p>`:y}
        ${e.note?u`<p class="quiet">${e.note[0].toUpperCase()}${e.note.slice(1)}.</p>`:y}
      </div>
      ${e.found?this.renderFound(e.found):y}
    `}worthOf(e){let t=e.moves[0];return this.exact&&t?an(t):`${Gt(e.value)}${e.is_proven?" proven":""}`}effortText(){let{found:e,isSearching:t,isReady:r,elapsed:n}=this.finding;return e?ic(t&&n>e.elapsed?{...e,elapsed:n}:e):t&&!r?`getting ready · ${n.toFixed(1)} s`:t?`searching · ${n.toFixed(1)} s`:""}renderSettings(){let{settings:e}=this,t=ua.includes(e.seconds)||e.seconds===0?ua:[...ua,e.seconds];return u`<div class="fields">
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
        <datalist id="policies">${this.suggestions.map(r=>u`<option value=${r}></option>`)}</datalist>
      </div>
      <div>
        <label for="seconds">Time</label>
        <select id="seconds" @change=${r=>this.change({seconds:Number(r.target.value)})}>
          ${t.map(r=>u`<option value=${r} .selected=${r===e.seconds}>${r} s</option>`)}
          <option value="0" .selected=${e.seconds===0}>its own</option>
        </select>
      </div>
      <div>
        <label for="lines">Lines</label>
        <select id="lines" @change=${r=>this.change({lines:Number(r.target.value)})}>
          ${[1,2,3,4,5].map(r=>u`<option value=${r} .selected=${r===e.lines}>${r}</option>`)}
        </select>
      </div>
    </div>`}renderFound(e){let t=new Set(e.lines.map(({action:n})=>n)),r=e.moves.filter(({action:n,value:o})=>!t.has(n)&&o!==null);return u`
      <ol aria-label="Lines of ${this.heading}">
        ${e.lines.map(n=>this.renderLine(n,e))}
      </ol>
      ${r.length>0?u`<p class="others">${r.map(n=>u`<span>${n.move} ${this.exact?an(n):Gt(n.value)}</span>`)}</p>`:y}
    `}renderLine(e,t){let r=t.moves.find(({action:n})=>n===e.action);return u`<li>
      <span class="worth">${this.exact&&r?an(r):Gt(e.value)}</span>
      <span class="moves">
        ${e.moves.slice(0,Np).map((n,o)=>u`<button title="Show the position after ${n}" @click=${()=>this.tell("try",e.moves.slice(0,o+1))}>${n}</button>`)}
        ${e.moves.length>Np?u`<span class="quiet">…</span>`:y}
      </span>
    </li>`}};Ct.styles=[K,Y,j`
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
    `],v([k()],Ct.prototype,"heading",2),v([k({attribute:!1})],Ct.prototype,"settings",2),v([k({attribute:!1})],Ct.prototype,"finding",2),v([k({attribute:!1})],Ct.prototype,"seats",2),v([k({attribute:!1})],Ct.prototype,"suggestions",2),v([k({type:Boolean})],Ct.prototype,"exact",2),v([k({type:Boolean})],Ct.prototype,"leavable",2),Ct=v([B("boardgym-analyse-panel")],Ct);var Jm={alpha:"α",beta:"β"},Ot=class extends F{constructor(){super(...arguments);this.policy="minimax:3";this.pruning=!0;this.open=new Set;this.message="";this.isBusy=!1}willUpdate(e){e.has("place")&&(this.tree=void 0)}async grow(){let{place:e}=this;this.message="",this.isBusy=!0;try{let t=await da(e,this.policy,[],this.pruning);e===this.place&&(this.tree=t,this.open=new Set([t.root]))}catch(t){this.message=ne(t)}this.isBusy=!1}async fold(e,t){if(!this.open.delete(e)){if(e.below>0)try{let{root:r}=await da(this.place,this.policy,t,this.pruning);Object.assign(e,{children:r.children,below:r.below})}catch(r){this.message=ne(r);return}this.open.add(e)}this.open=new Set(this.open)}render(){return u`
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
      <div role="status">${this.message?u`<p class="error">${this.message}</p>`:y}</div>
      ${this.tree?this.renderTree(this.tree):y}
    `}renderTree({root:e,seat:t}){let r=e.visits===null?`for ${t}, who takes the greatest`:"for the seat that moves there";return u`
      <p class="quiet">Values are ${r}. Bold: the best line.</p>
      <ul class="tree" aria-label="Tree of the search">
        ${this.renderNode(e,[])}
      </ul>
    `}renderNode(e,t){let r=this.open.has(e),n=e.children.length+e.below,o=e.move||"here";return u`<li class="${e.is_best?"best":""} ${e.pruned?"pruned":""}">
      <div class="node">
        ${n>0?u`<button class="fold" aria-expanded=${r} aria-label="Moves after ${o}" @click=${()=>this.fold(e,t)}>
              ${r?"▾":"▸"}
            </button>`:u`<span class="fold"></span>`}
        <button class="move" title="Show the position after ${o}" @click=${()=>this.dispatchEvent(new CustomEvent("try",{detail:t}))}>
          ${o}
        </button>
        <span>${this.facts(e)}</span>
      </div>
      ${r&&e.children.length>0?u`<ul>
            ${e.children.map(l=>this.renderNode(l,[...t,l.move]))}
          </ul>`:y}
    </li>`}facts(e){if(e.pruned)return`cut off by ${Jm[e.pruned]}`;let t=[Gt(e.value)];return e.proven&&e.to_play&&t.push("proven"),e.visits!==null&&t.push(`${e.visits.toLocaleString("en")} visits`),e.to_play?t.push(`${e.to_play} to move`):t.push("game over"),t.join(" · ")}};Ot.styles=[K,Y,j`
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
    `],v([k({attribute:!1})],Ot.prototype,"place",2),v([T()],Ot.prototype,"policy",2),v([T()],Ot.prototype,"pruning",2),v([T()],Ot.prototype,"tree",2),v([T()],Ot.prototype,"open",2),v([T()],Ot.prototype,"message",2),v([T()],Ot.prototype,"isBusy",2),Ot=v([B("boardgym-analyse-search-tree")],Ot);var jp=j`
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
`;var kr=class i{constructor(s,e){this.move=s;this.parent=e;this.children=[]}get ply(){return this.parent?this.parent.ply+1:0}get path(){return this.parent?[...this.parent.path,this]:[this]}get moves(){return this.path.slice(1).map(({move:s})=>s)}get line(){let s=this.path;for(let e=this.next??this.children[0];e;e=e.next??e.children[0])s.push(e);return s}after(s){let e=this.children.find(t=>t.move===s);return e||(e=new i(s,this),this.children.push(e)),this.next=e,e}choose(){for(let s of this.path)s.parent&&(s.parent.next=s)}forget(){let{parent:s}=this;s&&(s.children=s.children.filter(e=>e!==this),s.next===this&&(s.next=void 0))}};var Zm="perfect:detail=full",Qm=60,Xm={policy:"uct",seconds:10,lines:3},ef={policy:"minimax",seconds:10,lines:3},tf="perfect(uct:2000)",sf="uct:2000",Sn=class{constructor(s){this.changed=s;this.game="ConnectFour-v0";this.options={};this.start=null;this.root=new kr("");this.current=this.root;this.message="";this.version=0;this.settings={first:{...Xm},second:{...ef}};this.findings={first:Ts,second:Ts,perfect:Ts};this.isOn={first:!0,second:!1,perfect:!0};this.judgePolicy="";this.isJudging=!1;this.judgeMessage="";this.searches=new kn(s=>this.take(s));this.asked=0;this.searches.open()}close(){this.searches.close(),this.judging?.abort()}get place(){let{game:s,options:e,start:t}=this;return{game:s,options:e,start:t,moves:this.current.moves}}async begin(s,e,t,r,n=r.length){Object.assign(this,{game:s,options:e,start:t,message:"",judgeMessage:""}),this.judging?.abort(),this.root=new kr(""),this.position=void 0,this.stopAll();let o=++this.asked,l={game:s,options:e,start:t};try{let p=await pa({...l,moves:r});if(o!==this.asked)return;let d=this.root;for(let b of p.state.moves)d=d.after(b);d.position=p,await this.show(d.path[Math.min(Math.max(n,0),d.ply)]??d)}catch(p){if(o!==this.asked)return;this.start=null,await this.show(this.root),this.fail(p)}}async show(s){if(s.choose(),this.current=s,this.message="",this.stopAll(),this.tell(),!s.position){let e=++this.asked;try{s.position=await pa(this.place)}catch(t){e===this.asked&&this.fail(t);return}if(s!==this.current)return}this.position=s.position,this.tell();for(let e of["perfect","first","second"])this.search(e)}async play(s){let e=this.current;for(let t of s)e=e.after(t);e!==this.current&&await this.show(e)}step(s){let e=this.current.line,t=e[Math.min(Math.max(this.current.ply+s,0),e.length-1)];t&&t!==this.current&&this.show(t)}forget(s){let{parent:e}=s;s.forget(),this.tell(),e&&this.show(e)}get hasMove(){return this.position!==void 0&&this.position.state.outcome===null&&(this.position.state.to_play??-1)>=0}search(s){if(!(!this.isOn[s]||!this.hasMove||this.position!==this.current.position)){if(s==="perfect"){if(!this.position?.has_solver)return;this.searches.ask({...this.place,panel:s,policy:Zm,seconds:Qm,lines:2})}else{let{policy:e,seconds:t,lines:r}=this.settings[s];this.searches.ask({...this.place,panel:s,policy:e,seconds:t||null,lines:r})}this.findings[s]={...Ts,isSearching:!0,isReady:!1},this.tell()}}stopAll(){for(let s of["first","second","perfect"])this.searches.stop(s),this.findings[s]=Ts}toggle(s){let{isSearching:e}=this.findings[s];this.isOn[s]=!e,e?(this.searches.stop(s),this.findings[s]={...this.findings[s],isSearching:!1},this.tell()):this.search(s)}change(s,e){this.settings[s]={...this.settings[s],...e},this.isOn[s]=!0,this.search(s),this.tell()}compare(s){this.isOn.second=s,this.searches.stop("second"),this.findings.second=Ts,this.search("second"),this.tell()}take(s){if(!s.panel)return this.message=s.kind==="error"?s.error:"",this.tell();let t={...this.findings[s.panel]};s.kind==="found"?Object.assign(t,{found:s,elapsed:s.elapsed,isReady:!0,message:""}):s.kind==="pulse"?Object.assign(t,{elapsed:s.elapsed,isReady:s.is_ready}):s.kind==="nothing"?t.note=s.why:s.kind==="error"?Object.assign(t,{message:s.error,isSearching:!1}):t.isSearching=!1,this.findings[s.panel]=t,this.tell()}get judge(){return this.judgePolicy||(this.position?.has_solver?tf:sf)}async judgeLine(){if(this.judging?.abort(),this.isJudging)return this.isJudging=!1,this.tell();let s=new AbortController;this.judging=s;let e=this.current.line;for(let t of e)t.judged=void 0;this.isJudging=!0,this.judgeMessage="",this.tell();try{let t={...this.place,moves:e.slice(1).map(({move:r})=>r)};await Dp(t,this.judge,r=>{let n=e[r.ply];n&&(n.judged=r),this.tell()},s.signal)}catch(t){s.signal.aborted||(this.judgeMessage=ne(t))}this.judging===s&&(this.isJudging=!1),this.tell()}fail(s){this.message=ne(s),this.tell()}tell(){this.version+=1,this.changed()}};function Ms(...i){document.title=[...i,"boardgym studio"].join(" · ")}var Fp={search:"Search",openings:"Openings",tree:"Search tree",begin:"Position"},ss=class extends F{constructor(){super(...arguments);this.entries=[];this.tab="search";this.isFlipped=!1;this.message="";this.preferences=new Mt(this);this.session=new Sn(()=>this.follow());this.address="";this.onKey=e=>{let t=e.composedPath()[0];if(t instanceof HTMLInputElement||t instanceof HTMLSelectElement||t instanceof HTMLTextAreaElement||e.ctrlKey||e.metaKey||e.altKey||e.defaultPrevented||t instanceof SVGElement)return;let n={ArrowLeft:-1,ArrowRight:1,Home:-1/0,End:1/0}[e.key];n!==void 0&&(e.preventDefault(),this.session.step(n))};this.shownPlace=this.session.place}connectedCallback(){super.connectedCallback(),addEventListener("keydown",this.onKey)}disconnectedCallback(){removeEventListener("keydown",this.onKey),this.session.close(),super.disconnectedCallback()}willUpdate(e){e.has("route")&&location.hash!==this.address&&this.load()}async load(){let{query:e}=this.route;this.message="";try{this.entries.length===0&&(this.entries=await en());let t=fr(this.entries,e.get("game"));if(!t)throw new Error(`There is no game “${e.get("game")??""}”.`);let r={};for(let o of e.getAll("option")){let[l="",p=""]=o.split(/=(.*)/s),d=t.options[l];d&&(r[l]=Ys(p,d.value))}let n=(e.get("moves")??"").split(/\s+/).filter(Boolean);await this.session.begin(t.id,r,e.get("fen"),n,Number(e.get("at")??n.length))}catch(t){this.message=ne(t)}}follow(){this.requestUpdate();let{session:e}=this;if(!e.position||!this.isConnected||this.route.room!=="analyse")return;let t=e.current.line,r=new URLSearchParams({game:e.game.replace(/-v\d+$/,"")});for(let[o,l]of Object.entries(e.options))r.append("option",`${o}=${l}`);e.start&&r.set("fen",e.start),t.length>1&&r.set("moves",t.slice(1).map(({move:o})=>o).join(" ")),e.current!==t.at(-1)&&r.set("at",String(e.current.ply));let n=`#/analyse?${r}`;n!==this.address&&(this.address=n,history.replaceState(history.state,"",n),Ms("Analyse",e.position.game.title))}begin({game:e,options:t,start:r,moves:n}){this.session.begin(e,t,r,n)}show(e){this.session.show(e.detail)}play(e){let t=this.session.position?.state.actions.find(({action:r})=>r===e.detail.action)?.move;t!==void 0&&this.session.play([t])}tryMoves(e){this.session.play(e.detail)}render(){let{session:e}=this,t=this.message||e.message;return u`
      <h1 class="visually-hidden">Analyse</h1>
      <div role="alert">${t?u`<p class="error">${t}</p>`:y}</div>
      ${e.position?this.renderRoom():t?y:u`<p class="quiet">Loading …</p>`}
    `}renderRoom(){let{session:e}=this;return u`
      <div class="room">
        <section class="board" aria-label="Board">${this.renderBoard()}</section>
        <section class="side" aria-label="Analysis">
          <div class="tabs" role="group" aria-label="What to look at">
            ${Object.keys(Fp).map(t=>u`<button aria-pressed=${t===this.tab} @click=${()=>this.tab=t}>${Fp[t]}</button>`)}
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
          ${e.current.line.length>1?u`<div class="card">
                <boardgym-analyse-judge .session=${e} .version=${e.version}></boardgym-analyse-judge>
              </div>`:y}
        </section>
      </div>
    `}renderBoard(){let{session:e}=this,{position:t}=e,r=e.findings.perfect.found??e.findings.first.found;return u`
      <boardgym-board
        palette=${this.preferences.palette}
        .game=${t.game}
        .state=${t.state}
        .values=${r&&t===e.current.position?rc(r):{}}
        .flipped=${this.isFlipped}
        ?interactive=${e.hasMove}
        @play=${this.play}
      ></boardgym-board>
      ${this.renderSteps()}
      <p class="row under">
        <button @click=${()=>this.isFlipped=!this.isFlipped}>Turn the board</button>
        <a class="button" href=${this.playAddress}>Play from here</a>
      </p>
    `}get playAddress(){let{session:e}=this,t=new URLSearchParams({game:e.game.replace(/-v\d+$/,"")});for(let[r,n]of Object.entries(e.options))t.append("option",`${r}=${n}`);return t.set("fen",e.position.state.fen),`#/play?${t}`}renderSteps(){let{session:e}=this,t=e.current.line,r=e.current.ply,n=(o,l,p,d)=>u`<button aria-label=${l} title=${l} ?disabled=${!d} @click=${()=>e.step(p)}>${o}</button>`;return u`<div class="steps" role="group" aria-label="Browse the moves">
      ${n("«","First position",-1/0,r>0)} ${n("‹","One move back",-1,r>0)}
      ${n("›","One move on",1,r<t.length-1)} ${n("»","Last position",1/0,r<t.length-1)}
    </div>`}renderTab(){let{session:e}=this;return this.tab==="search"?this.renderSearch():this.tab==="openings"?u`<div class="card">
        <boardgym-analyse-openings
          .place=${this.place}
          .seats=${e.position.game.seats}
          .palette=${e.position.game.palette}
          @try=${this.tryMoves}
        ></boardgym-analyse-openings>
      </div>`:this.tab==="tree"?u`<div class="card">
        <boardgym-analyse-search-tree .place=${this.place} @try=${this.tryMoves}></boardgym-analyse-search-tree>
      </div>`:u`<div class="card">
      <boardgym-analyse-begin
        .entries=${this.entries}
        .game=${e.game}
        .options=${e.options}
        .fen=${e.position.state.fen}
        .moves=${e.current.line.slice(1).map(({move:t})=>t)}
        .position=${e.position}
        @begin=${t=>this.begin(t.detail)}
      ></boardgym-analyse-begin>
    </div>`}get place(){let{place:e}=this.session;return JSON.stringify(e)!==JSON.stringify(this.shownPlace)&&(this.shownPlace=e),this.shownPlace}renderSearch(){let{session:e}=this,{position:t}=e;return e.hasMove?u`
      ${t.has_solver?u`<div class="card">${this.renderPanel("perfect","Perfect play")}</div>`:y}
      <div class="card">${this.renderPanel("first","Search")}</div>
      ${e.isOn.second||e.findings.second.found?u`<div class="card">${this.renderPanel("second","Another")}</div>
            ${this.renderAgreement()}`:u`<p><button @click=${()=>e.compare(!0)}>Compare with another agent</button></p>`}
    `:u`<div class="card">${t.rolls.length>0?this.renderRolls():u`<p>${t.state.status}</p>`}</div>`}renderRolls(){let{session:e}=this;return u`
      <h2>What does chance bring?</h2>
      <div class="row">${e.position.rolls.map(({move:t})=>u`<button @click=${()=>{e.play([t])}}>${t}</button>`)}</div>
    `}renderPanel(e,t){let{session:r}=this;return u`<boardgym-analyse-panel
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
    ></boardgym-analyse-panel>`}get suggestions(){let e=this.entries.find(({id:t})=>t===this.session.game)?.policies??[];return[...new Set(["uct","minimax","puct",...e])].filter(t=>!/^(random|human)/.test(t))}renderAgreement(){let{first:e,second:t}=this.session.findings;if(!e.found||!t.found)return y;let[r,n]=[this.session.settings.first.policy,this.session.settings.second.policy],o=Gt(Math.abs(e.found.value-t.found.value)).replace("+","");return u`<p role="status">
      ${e.found.move===t.found.move?u`Both play <strong>${e.found.move}</strong>; their values differ by ${o}.`:u`${r} plays <strong>${e.found.move}</strong>, ${n} <strong>${t.found.move}</strong>; their values differ by ${o}.`}
    </p>`}};ss.styles=[K,Y,jp],v([k({attribute:!1})],ss.prototype,"route",2),v([T()],ss.prototype,"entries",2),v([T()],ss.prototype,"tab",2),v([T()],ss.prototype,"isFlipped",2),v([T()],ss.prototype,"message",2),ss=v([B("boardgym-analyse-room")],ss);var Hp=[["No clock",0,0],["1 minute",1,0],["3 minutes + 2 seconds a move",3,2],["5 minutes",5,0],["10 minutes + 5 seconds a move",10,5],["30 minutes",30,0]],ii=class extends F{change(s){this.dispatchEvent(new CustomEvent("draft",{detail:s}))}changeOption(s,e,t){this.change({options:{...this.draft.options,[s]:Ys(e,t)},...this.draft.begin==="hand"?{begin:"start",fen:""}:{}})}render(){let s=Object.entries(this.entry.options),e=Object.keys(on(this.entry,this.draft)).length>0;return u`
      ${s.length>0?u`<details ?open=${e}>
            <summary>Rules</summary>
            <div class="fields">${s.map(([t,r])=>this.renderOption(t,r))}</div>
          </details>`:y}
      <details ?open=${this.draft.minutes>0||this.draft.seed!==""}>
        <summary>Clock and seed</summary>
        <div class="fields">${this.renderClock()} ${this.renderSeed()}</div>
      </details>
    `}renderOption(s,{value:e,choices:t,range:r}){let n=this.draft.options[s]??e,o=t??(typeof e=="boolean"?[!0,!1]:void 0),l=p=>this.changeOption(s,p.target.value,e);return u`<div class="field">
      <label for=${`option-${s}`}>${s.replaceAll("_"," ")}</label>
      ${o?u`<select id=${`option-${s}`} @change=${l}>
            ${o.map(p=>u`<option value=${String(p)} .selected=${p===n}>${p===""?"none":rf(p)}</option>`)}
          </select>`:u`<input
            id=${`option-${s}`}
            type=${typeof e=="number"?"number":"text"}
            min=${r?.[0]??y}
            max=${r?.[1]??y}
            maxlength="80"
            .value=${String(n)}
            @change=${l}
          />`}
    </div>`}renderClock(){let{minutes:s,increment:e}=this.draft;return u`<div class="field">
      <label for="clock">Clock</label>
      <select
        id="clock"
        @change=${t=>{let[,r=0,n=0]=Hp[t.target.selectedIndex]??[];this.change({minutes:r,increment:n})}}
      >
        ${Hp.map(([t,r,n])=>u`<option .selected=${r===s&&n===e}>${t}</option>`)}
      </select>
    </div>`}renderSeed(){return u`<div class="field">
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
    </div>`}};ii.styles=[K,Y,j`
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
    `],v([k({attribute:!1})],ii.prototype,"entry",2),v([k({attribute:!1})],ii.prototype,"draft",2),ii=v([B("boardgym-play-options")],ii);var rf=i=>i===!0?"yes":i===!1?"no":String(i).replaceAll("_"," ");var is=class extends F{constructor(){super(...arguments);this.message="";this.preferences=new Mt(this);this.asked=0}change(e){this.dispatchEvent(new CustomEvent("draft",{detail:e}))}willUpdate(e){let t=e.get("draft");if(!e.has("draft"))return;!t||t.game!==this.draft.game||!nf(t,this.draft)?this.load():(t.begin!==this.draft.begin||t.fen!==this.draft.fen)&&this.check()}async load(){let{game:e,options:t}=this.draft;this.message="";let r=++this.asked;try{let n=await zl(e,t);if(r!==this.asked)return;this.opening=n,await this.check()}catch(n){r===this.asked&&(this.message=ne(n))}}async check(){let{game:e,options:t,begin:r,fen:n}=this.draft;if(this.message="",r==="hand"||(this.shown=void 0,r!=="fen"||!n.trim()))return;let o=++this.asked;try{let{state:l}=await Wl({game:e,options:t,fen:n.trim()});o===this.asked&&(this.shown=l)}catch(l){o===this.asked&&(this.message=ne(l))}}render(){let{begin:e,setup:t}=this.draft,r=this.entry.setups.filter(o=>o!=="standard"),n=[["start","The usual start"]];return r.length>0&&n.push(["setup","A set-up or handicap"]),n.push(["fen","A position string"]),(this.opening?.game.brush||e==="hand")&&n.push(["hand","A board set up by hand"]),u`
      <div class="begin">
        <div class="field">
          <label for="begin">Begin from</label>
          <select
            id="begin"
            @change=${o=>this.change({begin:o.target.value})}
          >
            ${n.map(([o,l])=>u`<option value=${o} .selected=${o===e}>${l}</option>`)}
          </select>
        </div>
        ${e==="setup"?u`<div class="field">
              <label for="setup">Set-up</label>
              <select id="setup" @change=${o=>this.change({setup:o.target.value})}>
                ${r.map(o=>u`<option value=${o} .selected=${o===t}>${o.replaceAll("_"," ")}</option>`)}
              </select>
              <div class="help">The board shows the usual start.</div>
            </div>`:y}
        ${e==="fen"||e==="hand"?this.renderFen():y}
      </div>
      <div role="status">${this.message?u`<p class="error">${this.message}</p>`:y}</div>
      ${this.renderBoard()}
      ${e==="fen"||e==="hand"?u`<p class="start">
            <button type="button" ?disabled=${!this.draft.fen.trim()} @click=${()=>this.dispatchEvent(new Event("start"))}>
              Start from this position
            </button>
          </p>`:y}
    `}renderFen(){return u`<div class="field">
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
    </div>`}renderBoard(){let{opening:e,draft:t}=this;return e?t.begin==="hand"&&e.game.brush?u`<boardgym-play-brush
        .game=${e.game}
        .start=${this.shown??e.state}
        .options=${t.options}
        .gameId=${t.game}
        @fen=${r=>this.change({fen:r.detail})}
      ></boardgym-play-brush>`:e.game.places.length===0?u`<p class="mono">${(this.shown??e.state).fen}</p>`:u`<boardgym-board
      palette=${this.preferences.palette}
      .game=${e.game}
      .state=${this.shown??e.state}
      .interactive=${!1}
      .showLegal=${!1}
    ></boardgym-board>`:y}};is.styles=[K,Y,j`
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
    `],v([k({attribute:!1})],is.prototype,"entry",2),v([k({attribute:!1})],is.prototype,"draft",2),v([T()],is.prototype,"opening",2),v([T()],is.prototype,"shown",2),v([T()],is.prototype,"message",2),is=v([B("boardgym-play-position")],is);var nf=(i,s)=>JSON.stringify(i.options)===JSON.stringify(s.options);var of={random:"Plays any legal move.",greedy:"Looks one move ahead.",positional:"Looks one move ahead, for good squares.",mobility:"Looks one move ahead, for more moves than you have.",parity:"Looks one move ahead, for the last move in each region.",max_disc:"Looks one move ahead, for the most discs.",mills:"Looks one move ahead, for mills.",minimax:"Looks as many moves ahead as the number says.",maxn:"Looks as many moves ahead as the number says; each seat for itself.",expectiminimax:"Looks as many moves ahead as the number says, over all dice.",uct:"Plays as many games in its head as the number says.",puct:"Searches as often as the number says, led by what it knows of the game.",perfect:"Plays perfectly where it can tell; otherwise as the policy in brackets.",epsilon:"Plays as the policy in brackets, and now and then any legal move.",mix:"Draws one of its policies for each game."};function Vp(i){return of[/^\w*/.exec(i.trim())?.[0]??""]??""}var af=[["you","You"],["person","Another person"],["policy","A policy"],["agent","A trained agent"]],hs=class extends F{constructor(){super(...arguments);this.name="";this.suggestions=[];this.agents=[]}change(e){this.dispatchEvent(new CustomEvent("seat",{detail:{...this.seat,...e}}))}choose(e){e==="agent"?this.change({who:e,spec:this.agents[0]?.id??""}):this.seat.who==="agent"?this.change({who:e,spec:Ao(this.suggestions)}):this.change({who:e})}render(){let{who:e}=this.seat,t=af.filter(([r])=>r!=="agent"||this.agents.length>0||e==="agent");return u`<fieldset>
      <legend>${this.name}</legend>
      <div class="choice">
        <select
          aria-label="Who plays ${this.name}"
          @change=${r=>this.choose(r.target.value)}
        >
          ${t.map(([r,n])=>u`<option value=${r} .selected=${r===e}>${n}</option>`)}
        </select>
        ${e==="policy"?this.renderSpec():e==="agent"?this.renderAgents():y}
      </div>
      ${e==="policy"?this.renderSuggestions():y}
    </fieldset>`}renderSpec(){return u`<input
      class="mono"
      aria-label="Policy that plays ${this.name}"
      aria-describedby="help"
      maxlength="200"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      .value=${this.seat.spec}
      @input=${e=>this.change({spec:e.target.value})}
    />`}renderSuggestions(){return u`<div class="help" id="help">
        ${Vp(this.seat.spec)}
      </div>
      <div class="row suggestions" role="group" aria-label="Suggested policies">
      ${this.suggestions.map(e=>u`<button type="button" class="mono" aria-pressed=${e===this.seat.spec} @click=${()=>this.change({spec:e})}>
            ${e}
          </button>`)}
    </div>`}renderAgents(){return u`<select
      aria-label="Agent that plays ${this.name}"
      @change=${e=>this.change({spec:e.target.value})}
    >
      ${this.agents.map(({id:e,name:t})=>u`<option value=${e} .selected=${e===this.seat.spec}>${t}</option>`)}
    </select>`}};hs.styles=[K,Y,j`
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
    `],v([k()],hs.prototype,"name",2),v([k({attribute:!1})],hs.prototype,"seat",2),v([k({attribute:!1})],hs.prototype,"suggestions",2),v([k({attribute:!1})],hs.prototype,"agents",2),hs=v([B("boardgym-play-seat")],hs);var zt=class extends F{constructor(){super(...arguments);this.entries=[];this.agents=[];this.query=new URLSearchParams;this.message="";this.isStarting=!1}get entry(){return this.entries.find(({id:e})=>e===this.draft?.game)}willUpdate(e){if(!e.has("query")&&!e.has("entries")||this.entries.length===0)return;let t=this.query.get("game"),r=fr(this.entries,t);this.message=r?"":`There is no game “${t}”. These are the games that there are.`;let n=r??fr(this.entries,null);n&&(this.draft=Xl(n,this.query))}change(e){if(!this.draft)return;this.draft={...this.draft,...e},this.message="";let t=this.entry;t&&history.replaceState(null,"",sc(t,this.draft))}chooseGame(e){this.draft=nn(e),this.change({})}changeSeat(e,t){this.change({seats:this.draft?.seats.map((r,n)=>n===e?t:r)})}async start(e){e.preventDefault();let{entry:t,draft:r}=this;if(!(!t||!r||this.isStarting)){if((r.begin==="fen"||r.begin==="hand")&&!r.fen.trim()){this.message="There is no position to begin from yet. Give one, or begin from the usual start.";return}this.isStarting=!0,this.message="";try{let n=await tn(await tc(t,r));location.hash=`#/play/${n.id}`}catch(n){this.message=ne(n)}finally{this.isStarting=!1}}}render(){let{entry:e,draft:t}=this;return!e||!t?u`<p class="quiet">Loading the games…</p>`:u`
      <form @submit=${r=>this.start(r)}>
        <div class="card">
          <fieldset class="games">
            <legend class="label">Game</legend>
            ${this.entries.map(r=>u`<label>
                <input
                  type="radio"
                  name="game"
                  value=${r.id}
                  .checked=${r.id===t.game}
                  @change=${()=>this.chooseGame(r)}
                />${r.title}
              </label>`)}
          </fieldset>
          ${t.seats.map((r,n)=>u`<boardgym-play-seat
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
          <div role="alert">${this.message?u`<p class="error">${this.message}</p>`:y}</div>
          <button class="primary start" ?disabled=${this.isStarting}>${this.isStarting?"Starting…":"Start the game"}</button>
        </div>
        <boardgym-play-position
          .entry=${e}
          .draft=${t}
          @start=${r=>this.start(r)}
          @draft=${r=>this.change(r.detail)}
        ></boardgym-play-position>
      </form>
    `}renderSwap(){let e=this.draft?.seats??[];return e.length<2?y:u`<button type="button" @click=${()=>this.change({seats:[...e.slice(1),...e.slice(0,1)]})}>
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
    `],v([k({attribute:!1})],zt.prototype,"entries",2),v([k({attribute:!1})],zt.prototype,"agents",2),v([k({attribute:!1})],zt.prototype,"query",2),v([T()],zt.prototype,"draft",2),v([T()],zt.prototype,"message",2),v([T()],zt.prototype,"isStarting",2),zt=v([B("boardgym-play-form")],zt);var qt=class extends F{constructor(){super(...arguments);this.busy=!1;this.shown=0;this.isResigning=!1;this.copied=""}get hasPerson(){return this.play.seats.some(Ss)}async rematch(){let{game:e,seats:t,start:r,clocks:n}=this.play,o=[...t.slice(1),...t.slice(0,1)].map(({kind:p,spec:d})=>({kind:p,spec:d})),l=n?{clock:{seconds:n.seconds,increment:n.increment}}:{};try{let p=await tn({game:e.id,options:e.options,seats:o,position:r,...l});location.hash=`#/play/${p.id}`}catch(p){this.session.say(ne(p))}}async copy(e,t){try{await navigator.clipboard.writeText(e),this.copied=`${t} copied.`}catch{this.copied="This browser does not let the page copy: select the text and copy it yourself."}}render(){let{play:e}=this;return u`
      <div class="buttons" role="group" aria-label="Game">
        ${e.is_over?this.renderAfter():this.renderDuring()} ${this.renderAlways()}
      </div>
      ${this.isResigning?this.renderResigning():y}
      ${this.renderPosition()}
    `}renderDuring(){let{play:e,session:t}=this,r=Ss(e.seats[e.state.to_play??-1])&&!t.isPast;return u`
      ${this.hasPerson?u`<button ?disabled=${this.busy||e.state.moves.length===0} @click=${t.undo}>Take back</button>
            <button ?disabled=${this.busy||!r} @click=${()=>t.askHint()}>Hint</button>
            <button ?disabled=${this.busy} @click=${()=>this.isResigning=!0}>Resign</button>`:e.paused===void 0?y:u`<button class="primary" aria-pressed=${e.paused} @click=${e.paused?t.askAgain:t.pause}>
              ${e.paused?"Go on":"Pause"}
            </button>`}
    `}renderAfter(){let{session:e}=this;return u`
      <button class="primary" @click=${()=>this.rematch()}>Rematch</button>
      ${this.hasPerson?u`<button ?disabled=${this.busy} @click=${e.undo}>Take back</button>`:y}
    `}get query(){let{id:e,options:t}=this.play.game,r=new URLSearchParams({game:e});for(let[n,o]of Object.entries(t))r.append("option",`${n}=${o}`);return r.toString()}get analysis(){let{start:e,state:t}=this.play,r=new URLSearchParams({fen:e,moves:t.moves.join(" "),at:String(this.shown)});return`#/analyse?${this.query}&${r}`}renderAlways(){let e=this.play.seats.map(({kind:t,spec:r})=>t==="human"?t:r).join(";");return u`
      <button @click=${()=>this.dispatchEvent(new CustomEvent("flip"))}>Flip board</button>
      <a class="button" href="/api/plays/${this.play.id}/record" download>Save</a>
      ${ms.some(({path:t})=>t==="analyse")?u`<a class="button" href=${this.analysis}>Analyse</a>`:y}
      <a class="button" href="#/play?${this.query}&seats=${encodeURIComponent(e)}">New game</a>
    `}renderResigning(){let e=()=>{this.isResigning=!1};return u`<div class="card row" role="alertdialog" aria-label="Resign?">
      <span>Resign this game?</span>
      <button
        class="primary"
        @click=${()=>{e(),this.session.resign()}}
      >
        Resign
      </button>
      <button @click=${e}>Play on</button>
    </div>`}renderPosition(){let e=this.session.shown?.fen??"",t=`${this.query}&fen=${encodeURIComponent(e)}`;return u`<details>
      <summary>Position string</summary>
      <div class="fen">
        <input class="mono" readonly aria-label="Position string" .value=${e} @focus=${r=>r.target.select()} />
        <button @click=${()=>this.copy(e,"Position string")}>Copy</button>
      </div>
      <p class="help" role="status">${this.copied}</p>
      <p><a href="#/play?${t}">Start a game from here</a></p>
    </details>`}};qt.styles=[K,Y,j`
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
    `],v([k({attribute:!1})],qt.prototype,"play",2),v([k({attribute:!1})],qt.prototype,"session",2),v([k({type:Boolean})],qt.prototype,"busy",2),v([k({type:Number})],qt.prototype,"shown",2),v([T()],qt.prototype,"isResigning",2),v([T()],qt.prototype,"copied",2),qt=v([B("boardgym-play-actions")],qt);var Gp=j`
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
`;var lf="M3 4h2.5v12H3zM17 4v12L7 10z",cf="M15 4v12L5 10z",pf="M5 4v12l10-6z",df="M14.5 4H17v12h-2.5zM3 4v12l10-6z";function uf(i,s){let e=[],t=s;for(let[r,n]of i.entries()){let o=n.seat>=0?n.seat:i.slice(r).find(l=>l.seat>=0)?.seat??(t+1)%s;o!==t&&(o<t&&e.push(Array.from({length:s},()=>[])),t=o),e.at(-1)?.[o]?.push(n)}return e}var As=class extends F{constructor(){super(...arguments);this.steps=[];this.seats=[];this.shown=0}go(e){this.dispatchEvent(new CustomEvent("show",{detail:e}))}updated(e){if(!e.has("shown")&&!e.has("steps"))return;let t=this.renderRoot.querySelector(".list"),r=this.renderRoot.querySelector('[aria-current="true"]');t&&(r?(r.offsetTop<t.scrollTop||r.offsetTop+r.offsetHeight>t.scrollTop+t.clientHeight)&&(t.scrollTop=r.offsetTop-t.clientHeight/2):t.scrollTop=0)}render(){let e=this.steps.length;return u`
      <div class="list" tabindex="0" role="region" aria-label="Moves">
        ${this.steps.length===0?u`<p class="quiet">No moves yet.</p>`:this.renderTable()}
      </div>
      <div class="steps" role="group" aria-label="Browse the moves">
        ${this.renderStep(lf,"First position",0,this.shown>0)}
        ${this.renderStep(cf,"One move back",this.shown-1,this.shown>0)}
        ${this.renderStep(pf,"One move on",this.shown+1,this.shown<e)}
        ${this.renderStep(df,"Back to the game",e,this.shown<e)}
      </div>
    `}renderStep(e,t,r,n){return u`<button aria-label=${t} title=${t} ?disabled=${!n} @click=${()=>this.go(r)}>
      <svg viewBox="0 0 20 20" width="18" height="18" fill="currentColor" aria-hidden="true"><path d=${e} /></svg>
    </button>`}renderTable(){return u`<table>
      <thead>
        <tr>
          <th class="number"><span class="visually-hidden">Round</span></th>
          ${this.seats.map(e=>u`<th scope="col">${e}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${uf(this.steps,this.seats.length).map((e,t)=>u`<tr>
            <th class="number" scope="row">${t+1}</th>
            ${e.map(r=>u`<td>${r.map(n=>this.renderMove(n))}</td>`)}
          </tr>`)}
      </tbody>
    </table>`}renderMove({index:e,seat:t,move:r}){return u`<button
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
    `],v([k({attribute:!1})],As.prototype,"steps",2),v([k({attribute:!1})],As.prototype,"seats",2),v([k({attribute:!1})],As.prototype,"shown",2),As=v([B("boardgym-play-moves")],As);var En=class{constructor(s){this.host=s;this.message="";this.isGone=!1;this.isBusy=!1;this.index=null;this.past=new Map;this.id="";this.move=s=>this.ask("moves",{ply:this.play?.state.ply,action:s});this.undo=()=>this.ask("undo");this.resign=()=>this.ask("resign");this.askAgain=()=>this.ask("ask");this.replace=(s,e)=>this.ask(`seats/${s}`,e);this.pause=()=>this.ask("pause");s.addController(this)}hostConnected(){this.id&&this.listen()}hostDisconnected(){this.stop?.(),this.stop=void 0}follow(s){s!==this.id&&(Object.assign(this,{id:s,play:void 0,message:"",hint:void 0,isGone:!1,index:null}),this.past.clear(),this.listen(),this.host.requestUpdate())}listen(){this.stop?.(),this.stop=Ti(`/plays/${this.id}/events`,s=>this.take(s),s=>{s&&this.checkIsThere()})}async checkIsThere(){try{this.take(await Xe(`/plays/${this.id}`))}catch(s){if(!(s instanceof Tt)||s.status===0)return;if(s.status!==404)return this.fail(s);this.stop?.(),this.isGone=!0,this.message=s.message,this.host.requestUpdate()}}take(s){if(s.id!==this.id||this.play&&s.version<this.play.version)return;let e=this.play;this.play=s,e&&e.state.fen!==s.state.fen&&(this.hint=void 0,this.message="");let t=hf(e?.state.moves??[],s.state.moves);for(let r of this.past.keys())r>t&&this.past.delete(r);this.index!==null&&this.index>=t&&(this.index=null),this.host.requestUpdate()}get shownIndex(){return this.index??this.play?.state.moves.length??0}get isPast(){return this.index!==null}get shown(){return this.index===null?this.play?.state:this.past.get(this.index)??this.play?.state}async show(s){let e=this.play;if(!e)return;let t=Math.max(0,Math.min(s,e.state.moves.length));if(t<e.state.moves.length&&!this.past.has(t))try{this.past.set(t,await Xe(`/plays/${this.id}/states/${t}`))}catch(r){return this.fail(r)}this.index=t===this.play?.state.moves.length?null:t,this.message="",this.host.requestUpdate()}async askHint(){await this.during(async()=>{let s=await ot(`/plays/${this.id}/hint`);s.version===this.play?.version&&(this.hint=s)})}async askWhy(s){try{let{why:e}=await Xe(`/plays/${this.id}/why?places=${s.join(",")}`);this.say(e)}catch(e){this.fail(e)}}async forget(){await this.during(()=>Pi(`/plays/${this.id}`))}say(s){this.message=s,this.host.requestUpdate()}ask(s,e={}){return this.during(async()=>this.take(await ot(`/plays/${this.id}/${s}`,e)))}async during(s){this.isBusy=!0,this.message="",this.host.requestUpdate();try{await s()}catch(e){this.fail(e)}finally{this.isBusy=!1,this.host.requestUpdate()}}fail(s){this.say(ne(s))}};function hf(i,s){let e=i.findIndex((t,r)=>t!==s[r]);return e<0?i.length:e}var mf=200,Ip=20,Ls=class extends F{constructor(){super(...arguments);this.palette="";this.now=Date.now();this.timer=0}disconnectedCallback(){clearInterval(this.timer),this.timer=0,super.disconnectedCallback()}willUpdate(e){e.has("play")&&(this.now=Date.now(),clearInterval(this.timer),this.timer=(this.play.clocks?.running??null)!==null?setInterval(()=>this.now=Date.now(),mf):0)}isTurn(e){return!this.play.is_over&&this.play.state.to_play===e}secondsOf(e){let{clocks:t}=this.play,r=t?.left[e];if(!t||r===void 0)return null;let n=t.running===e?Math.max(0,this.now-t.at)/1e3:0;return Math.max(0,r-n)}render(){return u`${this.play.seats.map((e,t)=>this.renderSeat(t))}`}renderSeat(e){let{play:t}=this,r=this.secondsOf(e),n=t.state.outcome,o=`piece-${e}`,l=o in t.game.palette?new ks(t.game,this.palette).paint(o):void 0;return u`<div class="seat ${this.isTurn(e)?"turn":""}">
      ${l?u`<svg class="colour" viewBox="0 0 20 20" aria-hidden="true">${ee`<circle cx="10" cy="10" r="9" fill=${l} />`}</svg>`:y}
      <span class="who"><span class="name">${sn(t,e)}</span> <span class="quiet">${t.game.seats[e]}</span></span>
      ${t.thinking===e?u`<span class="thinking">thinking</span>`:y}
      ${n?u`<span class="result">${gf(n.returns[e]??0)}</span>`:y}
      ${r===null?y:u`<span class="clock ${r<Ip?"hurry":""}" role="timer">${ff(r)}</span>`}
    </div>`}};Ls.styles=[K,Y,j`
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
    `],v([k({attribute:!1})],Ls.prototype,"play",2),v([k()],Ls.prototype,"palette",2),v([T()],Ls.prototype,"now",2),Ls=v([B("boardgym-play-seats")],Ls);function ff(i){if(i<Ip)return i.toFixed(1);let s=Math.ceil(i);return`${Math.floor(s/60)}:${String(s%60).padStart(2,"0")}`}var gf=i=>i>0?`+${i}`:i<0?`−${-i}`:"0";var ri=class extends F{constructor(){super(...arguments);this.playId="";this.session=new En(this);this.preferences=new Mt(this);this.browse=e=>{if(e.composedPath()[0]!==document.body||e.altKey||e.ctrlKey||e.metaKey)return;let t={ArrowLeft:-1,ArrowRight:1}[e.key];t!==void 0&&(e.preventDefault(),this.session.show(this.session.shownIndex+t))}}connectedCallback(){super.connectedCallback(),addEventListener("keydown",this.browse)}disconnectedCallback(){removeEventListener("keydown",this.browse),super.disconnectedCallback()}willUpdate(e){e.has("playId")&&(this.flipped=void 0,this.session.follow(this.playId))}updated(){let{play:e}=this.session;e&&Ms(`${e.game.title}: ${e.state.status}`)}render(){let{play:e,isGone:t,message:r}=this.session;return t?u`<h1 tabindex="-1">This game is not here</h1>
        <p class="error" role="alert">${r}</p>
        <p><a class="button primary" href="#/play">Start another game</a></p>`:e?u`
      <h1 class="visually-hidden">${e.game.title}</h1>
      <div class="game">
        <div class="board">${this.renderBoard(e)} ${this.renderMessages(e)}</div>
        <div class="side">
          <boardgym-play-seats class="card" .play=${e} palette=${this.preferences.palette}></boardgym-play-seats>
          <boardgym-play-moves
            class="card"
            .steps=${e.state.moves.map((n,o)=>({index:o+1,seat:e.movers?.[o]??0,move:n}))}
            .seats=${e.movers?e.game.seats:["all moves"]}
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
    `:u`<p class="quiet">Loading the game…</p>`}isFlipped(e){if(this.flipped!==void 0)return this.flipped;let t=e.seats.map(Ss);return t.length===2&&t[1]===!0&&t[0]===!1}renderBoard(e){let{session:t}=this,r=!e.is_over&&!t.isPast&&Ss(e.seats[e.state.to_play??-1]);return u`
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
      ${t.isPast?u`<div class="past" role="status">
            <span>After ${t.shownIndex} of ${e.state.moves.length} moves.</span>
            <button @click=${()=>t.show(e.state.moves.length)}>Back to the game</button>
          </div>`:y}
    `}refused({places:e,text:t}){e.length>0?this.session.askWhy(e):this.session.say(`“${t??""}” is no legal move here.`)}notYours(e){this.session.isPast?this.session.say("This is an earlier position. Go back to the game to play on."):e.is_over?this.session.say("The game is over."):this.session.say(`It is the turn of ${sn(e,e.state.to_play??-1)}.`)}renderMessages(e){let{hint:t,message:r,isPast:n}=this.session;return u`
      <div role="alert">
        ${r?u`<p class="error">${r}</p>`:y}
        ${e.message?this.renderFailure(e,e.message):y}
      </div>
      <div role="status">${t&&!n?u`<p class="hint">Hint: <b>${t.move}</b></p>`:y}</div>
    `}renderFailure(e,t){let{session:r}=this,n=e.state.to_play??-1,o=!e.is_over&&e.seats[n]?.kind==="policy";return u`<div class="error">
      <p>${t}</p>
      ${o?u`<form class="row" @submit=${l=>this.replace(l,n)}>
            <button type="button" ?disabled=${r.isBusy} @click=${r.askAgain}>Ask it again</button>
            <button type="button" ?disabled=${r.isBusy} @click=${()=>r.replace(n,{kind:"human",spec:""})}>
              Take the seat yourself
            </button>
            <input class="mono" name="spec" value="greedy" maxlength="200" required aria-label="Another policy" />
            <button ?disabled=${r.isBusy}>Let this play</button>
          </form>`:y}
    </div>`}replace(e,t){e.preventDefault();let r=String(new FormData(e.target).get("spec")??"").trim();this.session.replace(t,{kind:"policy",spec:r})}};ri.styles=[K,Y,Gp],v([k()],ri.prototype,"playId",2),v([T()],ri.prototype,"flipped",2),ri=v([B("boardgym-play-game")],ri);var ni=class extends F{constructor(){super(...arguments);this.plays=[];this.entries=[]}render(){return this.plays.length===0?y:u`<h2>Your games</h2>
      <ul>
        ${this.plays.map(e=>this.renderPlay(e))}
      </ul>`}forget(e,t){confirm(`Delete this game of ${t}? It cannot be brought back.`)&&this.dispatchEvent(new CustomEvent("forget",{detail:e.id}))}renderPlay(e){let t=this.entries.find(({id:o})=>o===e.game)?.title??e.game,r=e.is_over?e.result:e.ply===0?"not begun":`after ${e.ply} moves`,n=e.seats.map(({kind:o,spec:l})=>o==="human"?"a person":l).join(" – ");return u`<li>
      <a href="#/play/${e.id}">
        <div class="title">${t}</div>
        <div class="seats quiet">${n}</div>
        <div class="state quiet">${r}, <time datetime=${e.changed}>${vf(e.changed)}</time></div>
      </a>
      <button
        class="plain"
        aria-label="Delete this game of ${t}"
        title="Delete"
        @click=${()=>this.forget(e,t)}
      >
        ✕
      </button>
    </li>`}};ni.styles=[K,Y,j`
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
    `],v([k({attribute:!1})],ni.prototype,"plays",2),v([k({attribute:!1})],ni.prototype,"entries",2),ni=v([B("boardgym-play-list")],ni);var ha=new Intl.RelativeTimeFormat("en",{numeric:"auto"});function vf(i){let s=Math.round((Date.parse(i)-Date.now())/6e4);return Number.isFinite(s)?s>-1?"just now":s>-60?ha.format(s,"minute"):s>-1440?ha.format(Math.round(s/60),"hour"):ha.format(Math.round(s/1440),"day"):""}var rs=class extends F{constructor(){super(...arguments);this.entries=[];this.agents=[];this.list=[];this.message=""}get playId(){return this.route.rest[0]??""}willUpdate(e){e.has("route")&&!this.playId&&this.load()}async load(){this.message="";try{[this.entries,this.list]=await Promise.all([this.entries.length>0?this.entries:en(),ql()]),this.agents=await Yl()}catch(e){this.message=ne(e)}}async forget(e){try{await Pi(`/plays/${e}`)}catch(t){this.message=ne(t)}this.list=this.list.filter(t=>t.id!==e)}render(){return this.playId?u`<boardgym-play-game .playId=${this.playId}></boardgym-play-game>`:u`
      <h1>Play</h1>
      <div role="alert">${this.message?u`<p class="error">${this.message}</p>`:y}</div>
      <boardgym-play-form .entries=${this.entries} .agents=${this.agents} .query=${this.route.query}></boardgym-play-form>
      <boardgym-play-list
        .plays=${this.list}
        .entries=${this.entries}
        @forget=${e=>this.forget(e.detail)}
      ></boardgym-play-list>
    `}};rs.styles=[K,Y,j`
      :host {
        display: block;
      }
      boardgym-play-list {
        margin-top: 1.75rem;
      }
    `],v([k({attribute:!1})],rs.prototype,"route",2),v([T()],rs.prototype,"entries",2),v([T()],rs.prototype,"agents",2),v([T()],rs.prototype,"list",2),v([T()],rs.prototype,"message",2),rs=v([B("boardgym-play-room")],rs);var Bp='.uplot, .uplot *, .uplot *::before, .uplot *::after {box-sizing: border-box;}.uplot {font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji";line-height: 1.5;width: min-content;}.u-title {text-align: center;font-size: 18px;font-weight: bold;}.u-wrap {position: relative;user-select: none;}.u-over, .u-under {position: absolute;}.u-under {overflow: hidden;}.uplot canvas {display: block;position: relative;width: 100%;height: 100%;}.u-axis {position: absolute;}.u-legend {font-size: 14px;margin: auto;text-align: center;}.u-inline {display: block;}.u-inline * {display: inline-block;}.u-inline tr {margin-right: 16px;}.u-legend th {font-weight: 600;}.u-legend th > * {vertical-align: middle;display: inline-block;}.u-legend .u-marker {width: 1em;height: 1em;margin-right: 4px;background-clip: padding-box !important;}.u-inline.u-live th::after {content: ":";vertical-align: middle;}.u-inline:not(.u-live) .u-value {display: none;}.u-series > * {padding: 4px;}.u-series th {cursor: pointer;}.u-legend .u-off > * {opacity: 0.3;}.u-select {background: rgba(0,0,0,0.07);position: absolute;pointer-events: none;}.u-cursor-x, .u-cursor-y {position: absolute;left: 0;top: 0;pointer-events: none;will-change: transform;}.u-hz .u-cursor-x, .u-vt .u-cursor-y {height: 100%;border-right: 1px dashed #607D8B;}.u-hz .u-cursor-y, .u-vt .u-cursor-x {width: 100%;border-bottom: 1px dashed #607D8B;}.u-cursor-pt {position: absolute;top: 0;left: 0;border-radius: 50%;border: 0 solid;pointer-events: none;will-change: transform;/*this has to be !important since we set inline "background" shorthand */background-clip: padding-box !important;}.u-axis.u-off, .u-select.u-off, .u-cursor-x.u-off, .u-cursor-y.u-off, .u-cursor-pt.u-off {display: none;}';var Bi=class extends Tt{constructor(e,t){super(e,422);this.errors=t}},Up={waiting:"waits",training:"trains",finished:"finished",stopped:"stopped",interrupted:"interrupted",failed:"failed",uploaded:"uploaded"},Sr=i=>i.state==="waiting"||i.state==="training",Er=i=>i.learner!==""&&["stopped","interrupted","failed"].includes(i.state),zp=()=>Xe("/learners"),qp=(i,s)=>Xe(`/learners/${encodeURIComponent(i)}?${s}`),_n=i=>Xe(`/bots/${encodeURIComponent(i)}`),Pn=(i,s)=>ot(`/bots/${i}/${s}`),Wp=i=>ot(`/bots/${i}/snapshot`),Kp=(i,s)=>Xe(`/bots/${i}/memory?moves=${s.join(",")}`),Yp=i=>`/api/bots/${i}/agent`,Jp=i=>Qp("/bots",JSON.stringify(i),"application/json");function Zp(i,s,e){let t=new URLSearchParams({name:s.slice(0,80),...e?{game:e}:{}});return Qp(`/agents?${t}`,i,"application/octet-stream")}async function Qp(i,s,e){let t;try{t=await fetch(`/api${i}`,{method:"POST",headers:{"Content-Type":e},body:s})}catch{throw es.set(!0),new Tt("The studio does not answer, or has refused a file of this size.",0)}let r=await t.json().catch(()=>null);if(t.ok)return r;let n=r?.error??`The studio answered ${t.status}.`;throw r?.errors?new Bi(n,r.errors):new Tt(n,t.status)}function Xp(i,{spec:s,game:e,options:t,seat:r}){let n=new URLSearchParams({game:e.replace(/-v\d+$/,"")});for(let[o,l]of Object.entries(t))n.append("option",`${o}=${l}`);return n.set("seats",i.seats.map((o,l)=>l===r?s:"human").join(";")),`#/play?${n}`}var _r=i=>`${(100*i).toLocaleString(void 0,{maximumFractionDigits:1})} %`,et=i=>i.toLocaleString();var ed=300,Pr="games won, drawn, lost",yf=12,$f=40,Cs=class extends F{constructor(){super(...arguments);this.curve={columns:[],rows:[]};this.shown="";this.drawn="";this.width=0;this.observer=new ResizeObserver(()=>this.fit());this.scheme=matchMedia("(prefers-color-scheme: dark)");this.redraw=()=>{this.drawn="",requestAnimationFrame(()=>this.draw())}}connectedCallback(){super.connectedCallback(),this.observer.observe(this),this.scheme.addEventListener("change",this.redraw),Vt.addEventListener("change",this.redraw)}disconnectedCallback(){this.observer.disconnect(),this.scheme.removeEventListener("change",this.redraw),Vt.removeEventListener("change",this.redraw),this.forget(),super.disconnectedCallback()}forget(){this.plot?.destroy(),this.plot=void 0,this.drawn=""}fit(){let e=Math.floor(this.clientWidth);e!==this.width&&(this.width=e,this.plot?.setSize({width:e,height:ed}),this.plot||this.draw())}get hasGames(){return["won","drawn","lost"].every(e=>this.curve.columns.includes(e))}get choices(){let e=this.curve.columns.slice(1).filter(t=>!this.hasGames||!["won","drawn","lost"].includes(t));return this.hasGames?[Pr,...e]:e}get choice(){return this.choices.includes(this.shown)?this.shown:this.choices[0]??""}column(e){let t=this.curve.columns.indexOf(e);return this.curve.rows.map(r=>r[t]??null)}lines(){if(this.choice!==Pr)return[{name:this.choice,colour:"quality",dash:[],width:2,values:this.column(this.choice)}];let[e,t,r]=["won","drawn","lost"].map(o=>this.column(o)),n=o=>e.map((l,p)=>{let d=(e[p]??0)+(t[p]??0)+(r[p]??0);return d>0?100*o(p)/d:null});return[{name:"Quality",colour:"quality",dash:[],width:2.5,values:n(o=>(e[o]??0)+(t[o]??0))},{name:"won",colour:"won",dash:[],width:1.5,values:n(o=>e[o]??0)},{name:"drawn",colour:"drawn",dash:[3,3],width:1.5,values:n(o=>t[o]??0)},{name:"lost",colour:"lost",dash:[9,4],width:1.5,values:n(o=>r[o]??0)}]}updated(e){(e.has("curve")||e.has("shown"))&&this.draw()}draw(){if(!this.place||this.curve.rows.length===0||this.width===0){this.forget();return}let e=this.lines(),t=[this.column(this.curve.columns[0]??""),...e.map(({values:r})=>r)];if(this.plot&&this.drawn===this.choice){this.plot.setData(t);return}this.forget(),this.plot=new Ie(this.options(e),t,this.place),this.drawn=this.choice}options(e){let t="12px system-ui, sans-serif",r=this.choice===Pr,n={stroke:this.resolved("axis"),font:t,grid:{stroke:this.resolved("grid"),width:1}};return{width:this.width,height:ed,scales:{x:{time:!1},y:r?{range:[0,100]}:{}},axes:[{...n,label:this.curve.columns[0],labelFont:t,values:(o,l)=>l.map(p=>et(p))},{...n,size:60,values:(o,l)=>l.map(p=>`${et(p)}${r?" %":""}`)}],series:[{label:this.curve.columns[0],value:(o,l)=>l===null?"–":et(l)},...e.map(({name:o,colour:l,dash:p,width:d})=>({label:o,stroke:this.resolved(l),width:d,dash:p,points:{show:b=>(b.data[0]?.length??0)<$f},value:(b,f)=>f===null?"–":ma(f,r)}))]}}resolved(e){let t=this.renderRoot.querySelector(`.probes .${e}`);return t?getComputedStyle(t).color:"gray"}render(){let{rows:e}=this.curve;return u`<div class="probes">
        ${["quality","won","drawn","lost","axis","grid"].map(t=>u`<span class=${t}></span>`)}
      </div>
      ${this.choices.length>1?this.renderChoice():y}
      ${e.length===0?u`<p class="empty quiet">The curve begins with the first games.</p>`:u`<div class="plot" role="img" aria-label=${this.summary()}></div>
            ${this.renderPoints()}`}`}renderChoice(){return u`<div class="row">
      <label for="shown">Curve of</label>
      <select id="shown" @change=${e=>this.shown=e.target.value}>
        ${this.choices.map(e=>u`<option value=${e} ?selected=${e===this.choice}>${e}</option>`)}
      </select>
    </div>`}renderPoints(){let e=this.lines(),t=this.column(this.curve.columns[0]??""),r=Math.max(0,t.length-yf),n=this.choice===Pr;return u`<details>
      <summary class="quiet">The last points in numbers</summary>
      <table class="points">
        <thead>
          <tr>
            <th scope="col">${this.curve.columns[0]}</th>
            ${e.map(({name:o})=>u`<th scope="col">${o}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${t.slice(r).map((o,l)=>u`<tr>
                <td>${o===null?"":et(o)}</td>
                ${e.map(({values:p})=>u`<td>${ma(p[r+l]??null,n)}</td>`)}
              </tr>`)}
        </tbody>
      </table>
    </details>`}summary(){let e=this.choice===Pr,t=this.lines().map(({name:n,values:o})=>`${n} ${ma(o.at(-1)??null,e)}`),r=this.curve.rows.at(-1)?.[0]??0;return`Curve over ${et(r)} ${this.curve.columns[0]}; at its end: ${t.join(", ")}`}};Cs.styles=[K,Y,Vr(Bp),j`
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
    `],v([k({attribute:!1})],Cs.prototype,"curve",2),v([cr(".plot")],Cs.prototype,"place",2),v([T()],Cs.prototype,"shown",2),Cs=v([B("boardgym-curve")],Cs);function ma(i,s){return i===null?"–":s?`${i.toFixed(1)} %`:i.toLocaleString(void 0,{maximumSignificantDigits:5})}var Tn=j`
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
`,Mn=i=>u`<span class="chip ${i.state}">${Up[i.state]}</span>`;function An({progress:i,name:s,state:e}){return!i||e==="uploaded"?y:u`<progress
    aria-label="How far ${s} has come"
    max=${Math.max(i.total,1)}
    value=${i.done}
  ></progress>`}function Ln({progress:i,state:s}){if(!i)return s==="training"?"starting…":"";let{done:e,total:t,unit:r,size:n}=i,o=t>e?` of ${et(t)}`:"";return`${et(e)}${o} ${r}${n?` · ${n}`:""}`}var wf=65535,ns=class extends F{constructor(){super(...arguments);this.botId="";this.learnt=0;this.moves=[];this.message=""}willUpdate(e){e.has("botId")&&(this.moves=[]),(e.has("botId")||e.has("learnt"))&&this.look(this.moves)}async look(e){try{this.found=await Kp(this.botId,e),this.moves=e,this.message=""}catch(t){this.message=ne(t)}}render(){let{found:e}=this;if(!e)return this.message?u`<p class="error">${this.message}</p>`:u`<p class="quiet">Reading its table…</p>`;let{entries:t,state:r,statistics:n}=e,o=Object.fromEntries(t.filter(({is_known:l})=>l).map(({action:l,value:p})=>[l,p]));return u`<p class="quiet">
        ${et(n.entries)} entries of ${et(n.positions)} positions; ${e.holds}. Play moves to walk through
        it.
      </p>
      ${this.message?u`<p class="error">${this.message}</p>`:y}
      <div class="both">
        <div>
          <boardgym-board
            .game=${e.game}
            .state=${r}
            .values=${o}
            interactive
            @play=${l=>this.look([...this.moves,l.detail.action])}
          ></boardgym-board>
          <div class="row">
            <button ?disabled=${this.moves.length===0} @click=${()=>this.look(this.moves.slice(0,-1))}>Back</button>
            <button ?disabled=${this.moves.length===0} @click=${()=>this.look([])}>Start</button>
          </div>
        </div>
        ${t.length>0?this.renderEntries(t):u`<p class="quiet">The game is over here.</p>`}
      </div>`}renderEntries(e){let t=Math.max(1e-9,...e.map(({value:n})=>Math.abs(n))),r=[...e].sort((n,o)=>o.value-n.value||n.action-o.action);return u`<div class="wide" tabindex="0" role="region" aria-label="Values of the moves">
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
          ${r.map(({action:n,move:o,value:l,visits:p,is_known:d,is_best:b})=>u`<tr class=${d?b?"best":"":"unknown"}>
                <td>
                  <button
                    aria-label="${o}: look at what follows"
                    @click=${()=>this.look([...this.moves,n])}
                  >
                    ${o}
                  </button>
                </td>
                <td>${d?l.toFixed(2):"–"}</td>
                <td class="scale">
                  <svg class="bar ${l<0?"below":""}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                    <rect width=${Math.max(100*Math.abs(l)/t,1)} height="8" rx="1"></rect>
                  </svg>
                </td>
                <td>${d?p<wf?et(p):`${et(p)} or more`:"never"}</td>
              </tr>`)}
        </tbody>
      </table>
    </div>`}};ns.styles=[K,Y,j`
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
    `],v([k({attribute:!1})],ns.prototype,"botId",2),v([k({attribute:!1})],ns.prototype,"learnt",2),v([T()],ns.prototype,"found",2),v([T()],ns.prototype,"moves",2),v([T()],ns.prototype,"message",2),ns=v([B("boardgym-memory")],ns);var xf={random:"Random: both play at random",clone:"Clone: it plays against itself",base:"Base: fixed replies"},Ui=class extends F{render(){let{trials:s,progress:e,has_agent:t,seats:r}=this.bot,n=s.seats.length>0&&(e?.done??0)>s.done;return u`${s.seats.map(({seat:o,verdict:l,figures:p})=>u`${l?u`<p class="verdict ${l}">${l}</p>`:y}
          ${this.renderTable(r[o]??`seat ${o+1}`,p)}`)}
      ${s.seats.length>0?u`<p class="help">${s.rule}</p>`:y}
      ${n?u`<p class="quiet">These are of the bot after ${et(s.done)}; it has learnt more since.</p>`:y}
      <div role="status">
        ${s.state==="running"?u`<p>The trials are under way…</p>`:y}
        ${s.state==="failed"?u`<p class="error">The trials failed: ${s.message}</p>`:y}
      </div>
      ${s.state==="running"?y:u`<button ?disabled=${!t} @click=${()=>this.dispatchEvent(new CustomEvent("try"))}>
            ${s.seats.length>0?"Try it again":"Try it: random, clone and base test"}
          </button>`}`}renderTable(s,e){return u`<div class="wide">
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
          ${e.map(({name:t,won:r,drawn:n,lost:o,quality:l})=>u`<tr>
                <th scope="row">${xf[t]??t}</th>
                <td>${_r(r)}</td>
                <td>${_r(n)}</td>
                <td>${_r(o)}</td>
                <td><strong>${_r(l)}</strong></td>
              </tr>`)}
        </tbody>
      </table>
    </div>`}};Ui.styles=[K,Y,j`
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
    `],v([k({attribute:!1})],Ui.prototype,"bot",2),Ui=v([B("boardgym-trials")],Ui);var fs=class extends F{constructor(){super(...arguments);this.botId="";this.message="";this.isSure=!1}willUpdate(e){e.has("botId")&&this.follow()}disconnectedCallback(){this.end?.(),super.disconnectedCallback()}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.follow()}async follow(){this.end?.();let e=this.botId;Object.assign(this,{page:void 0,message:"",isSure:!1});try{this.page=await _n(e)}catch(t){this.message=ne(t);return}!this.isConnected||e!==this.botId||(Ms(this.page.bot.name,"Train"),this.end=Ti(`/bots/${encodeURIComponent(e)}/events`,t=>this.page=t))}async tell(e){this.message="",await Pn(this.botId,e).catch(t=>this.message=ne(t))}async play(){this.message="";try{this.page&&(location.hash=Xp(this.page.bot,await Wp(this.botId)))}catch(e){this.message=ne(e)}}async forget(){if(!this.isSure){this.isSure=!0;return}this.end?.();try{await Pi(`/bots/${this.botId}`),location.hash="#/train"}catch(e){this.message=ne(e),await this.follow()}}render(){let e=u`<p class="quiet"><a href="#/train">All bots</a></p>`,t=u`<div role="alert">${this.message?u`<p class="error">${this.message}</p>`:y}</div>`;if(!this.page)return u`${e}${t}${this.message?y:u`<p class="quiet">Loading the bot…</p>`}`;let{bot:r,curve:n,log:o}=this.page;return u`${e}
      <div class="title"><h1 tabindex="-1">${r.name}</h1>${Mn(r)}<span class="quiet">${r.title}</span></div>
      ${r.description?u`<p>${r.description}</p>`:y} ${An(r)}
      <p class="quiet" role="status">${[Ln(r),r.message].filter(l=>l).join(" — ")}</p>
      ${t}${this.renderButtons()}
      ${r.learner?u`<section class="card" aria-labelledby="curve">
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
      ${r.has_memory?u`<section class="card" aria-labelledby="memory">
            <h2 id="memory">Memory</h2>
            <boardgym-memory .botId=${r.id} .learnt=${r.progress?.done??0}></boardgym-memory>
          </section>`:y}`}renderButtons(){let e=this.page?.bot;return e?u`<div class="row buttons">
      ${Sr(e)?u`<button @click=${()=>this.tell("stop")}>Stop</button>`:y}
      ${Er(e)?u`<button class="primary" @click=${()=>this.tell("resume")}>Go on</button>`:y}
      ${e.has_agent?u`<button class=${Er(e)?"":"primary"} @click=${()=>this.play()}>Play against it</button>
            <a class="button" href=${Yp(e.id)} download>Download its memory</a>`:y}
      ${e.form?u`<a class="button" href="#/train/new?like=${e.id}">Make one like it</a>`:y}
      <button class="danger" @click=${()=>this.forget()} @blur=${()=>this.isSure=!1}>
        ${this.isSure?"Yes, delete all that it has learnt":"Delete"}
      </button>
    </div>`:y}renderMade(e){let t=this.page?.bot;if(!t?.learner)return u`<p>Its file was uploaded: ${t?.message.replace(/^uploaded: /,"")}.</p>`;let r=Object.entries(t.given);return u`<p class="quiet">The same on the command line:</p>
      <pre><code>${t.command}</code></pre>
      ${r.length>0?u`<dl>
            ${r.map(([n,o])=>u`<dt class="quiet">${n}</dt><dd>${o===null?"empty":Array.isArray(o)?o.join(" "):String(o)}</dd>`)}
          </dl>`:y}
      ${e?u`<details>
            <summary class="quiet">What its process said</summary>
            <pre tabindex="0">${e}</pre>
          </details>`:y}`}};fs.styles=[K,Y,Tn,j`
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
    `],v([k({attribute:!1})],fs.prototype,"botId",2),v([T()],fs.prototype,"page",2),v([T()],fs.prototype,"message",2),v([T()],fs.prototype,"isSure",2),fs=v([B("boardgym-bot")],fs);var kf=12,td=({label:i,name:s})=>i||id(s.replaceAll("_"," ")),id=i=>i.charAt(0).toUpperCase()+i.slice(1);function rd(i,s,e,t){let r=`field-${i.name}`,n=`${r}-help${e?` ${r}-error`:""}`;return u`<div class="field" ?data-wrong=${e!==""}>
    ${i.kind==="flag"&&!i.is_optional?u`<label class="check" for=${r}>${sd(i,s,e,t,r,n)} ${td(i)}</label>`:u`<label for=${r}>${td(i)}</label>${sd(i,s,e,t,r,n)}`}
    ${e?u`<p class="wrong" id="${r}-error">${e}</p>`:y}
    <p class="help" id="${r}-help">${id(i.help)}</p>
  </div>`}function sd(i,s,e,t,r,n){let o=e?"true":"false",l=d=>d.target.value;if(i.kind==="flag"&&!i.is_optional)return u`<input
      id=${r}
      type="checkbox"
      aria-describedby=${n}
      aria-invalid=${o}
      .checked=${s===!0}
      @change=${d=>t(d.target.checked)}
    />`;if(i.kind==="flag"||i.kind==="choice"){let d=i.kind==="flag"?["true","false"]:i.choices,b=i.kind==="flag"?["yes","no"]:i.labels,f=w=>w===""?null:i.kind==="flag"?w==="true":w;return u`<select
      id=${r}
      aria-describedby=${n}
      aria-invalid=${o}
      @change=${w=>t(f(l(w)))}
    >
      ${i.is_optional?u`<option value="" ?selected=${s===null}>the learner decides</option>`:y}
      ${d.map((w,P)=>u`<option value=${w} ?selected=${String(s)===w}>${b[P]??w}</option>`)}
    </select>`}if(i.kind==="list"&&i.item==="text")return u`<textarea
      id=${r}
      rows="2"
      aria-describedby=${n}
      aria-invalid=${o}
      placeholder=${s===null?"the learner decides":"one a line"}
      .value=${Array.isArray(s)?s.join(`
`):""}
      @change=${d=>t(nd(l(d).split(`
`),i))}
    ></textarea>`;let p=i.kind==="int"||i.kind==="float";return u`<input
      id=${r}
      type="text"
      size=${p?kf:30}
      inputmode=${p?"decimal":"text"}
      autocomplete="off"
      spellcheck="false"
      list=${i.choices.length>0?`${r}-choices`:y}
      aria-describedby=${n}
      aria-invalid=${o}
      placeholder=${s===null&&i.is_optional?"the learner decides":""}
      .value=${Sf(s)}
      @change=${d=>t(Ef(l(d),i))}
    />${i.choices.length>0?u`<datalist id="${r}-choices">${i.choices.map(d=>u`<option value=${d}></option>`)}</datalist>`:y}`}var Sf=i=>i===null?"":Array.isArray(i)?i.join(" "):String(i);function Ef(i,s){let e=i.trim();return e===""&&s.is_optional?null:s.kind==="list"?nd(e.split(/[\s,]+/),s):s.kind==="int"||s.kind==="float"?od(e):e}function nd(i,s){let e=i.map(t=>t.trim()).filter(t=>t!=="");return e.length===0&&s.is_optional?null:s.item==="text"?e:e.map(od)}var od=i=>i!==""&&Number.isFinite(Number(i))?Number(i):i;var ad="create-bot",_f=["Game","Opponent","Length","Bot","Algorithm","Memory"],ld=["Alexander","Capablanca","Judit","Vera","Tal","Menchik","Botvinnik","Polgar"],Rt=class extends F{constructor(){super(...arguments);this.query=new URLSearchParams;this.entries=[];this.given={};this.errors={};this.message="";this.isBusy=!1;this.wanted="";this.botName=ld[Math.floor(Math.random()*ld.length)]??"Bot";this.description=""}willUpdate(e){e.has("query")&&this.begin()}async begin(){try{this.entries=this.entries.length>0?this.entries:await zp();let e=this.query.get("like");if(e){let{bot:t}=await _n(e);this.botName=t.name,this.description=t.description,await this.choose(t.form||ad,t.given)}else await this.choose(this.query.get("form")??ad,{})}catch(e){this.message=ne(e)}}async choose(e,t){this.wanted=e,this.message="";try{let r=new URLSearchParams;for(let o of["game","preset"])t[o]&&r.set(o,String(t[o]));let n=await qp(e,r);if(this.wanted!==e)return;Object.assign(this,{form:n,given:t,errors:{}})}catch(r){r instanceof Bi&&(this.errors=r.errors),this.message=ne(r)}}async change(e,t){let r={...this.given,[e.name]:t};Pf(t,e.default)&&!e.redraws&&delete r[e.name],this.given=r;let{[e.name]:n,...o}=this.errors;this.errors=o,e.redraws&&this.form&&await this.choose(this.form.name,r)}async make(e){if(e.preventDefault(),!(!this.form||this.isBusy)){this.isBusy=!0,this.errors={},this.message="";try{let t=await Jp({name:this.botName.trim()||"Bot",description:this.description,form:this.form.name,given:this.given});location.hash=`#/train/${t.id}`}catch(t){this.errors=t instanceof Bi?t.errors:{};let r=Object.keys(this.errors).filter(n=>n!=="");this.message=this.errors[""]??(r.length>0?"The marked fields cannot stay as they are.":ne(t)),await this.updateComplete,this.renderRoot.querySelector("[aria-invalid=true]")?.focus()}finally{this.isBusy=!1}}}render(){let{form:e}=this;return u`<form novalidate @submit=${t=>this.make(t)}>
      <div class="card grid">
        <div class="field">
          <label for="learner">Learner</label>
          <select id="learner" @change=${t=>this.choose(t.target.value,{})}>
            ${this.entries.map(({name:t,title:r})=>u`<option value=${t} ?selected=${t===e?.name}>${r}</option>`)}
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
      <div role="alert">${this.message?u`<p class="error">${this.message}</p>`:y}</div>
      <button class="primary make" ?disabled=${this.isBusy||!e}>${this.isBusy?"Checking…":"Create and train"}</button>
    </form>`}renderGroups(e){let t=[...new Set(e.fields.map(({group:r})=>r))];return u`${t.map(r=>this.renderGroup(e,r))}
      ${e.notes.length>0?u`<ul class="notes quiet">
            ${e.notes.map(r=>u`<li>${r}</li>`)}
          </ul>`:y}`}renderGroup(e,t){let r=e.fields.filter(o=>o.group===t),n=_f.includes(t)||r.some(({name:o})=>o in this.errors||o in this.given);return u`<div class="card">
      <details ?open=${n}>
        <summary><h2>${t}</h2></summary>
        <fieldset class="grid" aria-label=${t}>
          ${r.map(o=>rd(o,Tf(o,this.given),this.errors[o.name]??"",l=>this.change(o,l)))}
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
    `],v([k({attribute:!1})],Rt.prototype,"query",2),v([T()],Rt.prototype,"entries",2),v([T()],Rt.prototype,"form",2),v([T()],Rt.prototype,"given",2),v([T()],Rt.prototype,"errors",2),v([T()],Rt.prototype,"message",2),v([T()],Rt.prototype,"isBusy",2),Rt=v([B("boardgym-bot-form")],Rt);var Pf=(i,s)=>JSON.stringify(i)===JSON.stringify(s),Tf=(i,s)=>i.name in s?s[i.name]??null:i.default;var Os=class extends F{constructor(){super(...arguments);this.message="";this.isUploading=!1}connectedCallback(){super.connectedCallback(),this.end=Ti("/bots/events",e=>this.list=e)}disconnectedCallback(){this.end?.(),super.disconnectedCallback()}async tell(e,t){this.message="",await Pn(e,t).catch(r=>this.message=ne(r))}async setLimit(e){let t=e.target;this.message="",await pr("PUT","/bots/limit",{limit:t.valueAsNumber}).catch(r=>{this.message=ne(r),t.value=String(this.list?.limit??1)})}async upload(e){let t=e.target,r=t.files?.[0];if(t.value="",!!r){this.isUploading=!0,this.message="";try{let n=await Zp(r,r.name.replace(/\.safetensors$/,"")||"agent","");location.hash=`#/train/${n.id}`}catch(n){this.message=ne(n)}finally{this.isUploading=!1}}}render(){let{list:e}=this;return u`<div class="row head">
        <h1>Train</h1>
        <a class="button primary" href="#/train/new">New bot</a>
      </div>
      <div role="alert">${this.message?u`<p class="error">${this.message}</p>`:y}</div>
      ${e===void 0?u`<p class="quiet">Loading the bots…</p>`:this.renderBots(e.bots)}
      ${e?this.renderBelow(e):y}`}renderBots(e){return e.length===0?u`<div class="card empty">
        <p>A bot learns a game by playing it: tic-tac-toe takes seconds.</p>
        <p class="quiet">Watch its curve, play against it while it trains, look into what it remembers.</p>
        <a class="button primary" href="#/train/new">Make the first bot</a>
      </div>`:u`<ul>
      ${e.map(t=>this.renderBot(t))}
    </ul>`}renderBot(e){let t=[...new Set(e.trials.seats.map(({verdict:r})=>r).filter(r=>r))];return u`<li>
      <div class="title"><a href="#/train/${e.id}">${e.name}</a>${Mn(e)}</div>
      <div class="quiet">
        ${e.title}${e.learner?` · ${e.learner}`:""}${t.length>0?` · ${t.join(", ")}`:""}
      </div>
      ${An(e)}
      <div class="quiet said">${Ln(e)}</div>
      ${e.state==="failed"?u`<div class="quiet said">${e.message}</div>`:y}
      ${Sr(e)||Er(e)?u`<div class="row">
            ${Sr(e)?u`<button aria-label="Stop ${e.name}" @click=${()=>this.tell(e.id,"stop")}>Stop</button>`:u`<button aria-label="Go on with ${e.name}" @click=${()=>this.tell(e.id,"resume")}>Go on</button>`}
          </div>`:y}
    </li>`}renderBelow(e){return u`<div class="below">
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
    </div>`}};Os.styles=[K,Y,Tn,j`
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
    `],v([T()],Os.prototype,"list",2),v([T()],Os.prototype,"message",2),v([T()],Os.prototype,"isUploading",2),Os=v([B("boardgym-bot-list")],Os);var Mf="new",zi=class extends F{render(){let s=this.route.rest[0]??"";return s===Mf?u`<p class="quiet"><a href="#/train">All bots</a></p>
        <h1>New bot</h1>
        <boardgym-bot-form .query=${this.route.query}></boardgym-bot-form>`:s?u`<boardgym-bot .botId=${s}></boardgym-bot>`:u`<boardgym-bot-list></boardgym-bot-list>`}};zi.styles=[K,Y,j`
      :host {
        display: block;
      }
    `],v([k({attribute:!1})],zi.prototype,"route",2),zi=v([B("boardgym-train-room")],zi);var ms=[{path:"play",title:"Play",draw:i=>u`<boardgym-play-room .route=${i}></boardgym-play-room>`},{path:"analyse",title:"Analyse",draw:i=>u`<boardgym-analyse-room .route=${i}></boardgym-analyse-room>`},{path:"train",title:"Train",draw:i=>u`<boardgym-train-room .route=${i}></boardgym-train-room>`}];function fa(i){let[s="",e=""]=i.replace(/^#\/?/,"").split(/\?(.*)/s),[t="",...r]=s.split("/").map(Af);return{room:t||(ms[0]?.path??""),rest:r,query:new URLSearchParams(e)}}function Af(i){try{return decodeURIComponent(i)}catch{return i}}var cd=i=>u`
  <h1 tabindex="-1">Nothing here</h1>
  <p>There is no room “${i.room}”. <a href="#/${ms[0]?.path??""}">Go to the first room.</a></p>
`;var Lf={system:"As the system",light:"Light",dark:"Dark"},qi=class extends F{constructor(){super();this.route=fa(location.hash);this.connectionChanged=()=>this.requestUpdate();this.follow=()=>{let e=this.route;this.route=fa(location.hash),pd(e)!==pd(this.route)&&this.updateComplete.then(()=>this.focusRoom())};this.closeDisplay=e=>{let t=this.renderRoot.querySelector("details");t?.open&&!e.composedPath().includes(t)&&(t.open=!1)};new Mt(this)}connectedCallback(){super.connectedCallback(),addEventListener("hashchange",this.follow),es.addEventListener("change",this.connectionChanged),addEventListener("pointerdown",this.closeDisplay)}disconnectedCallback(){removeEventListener("hashchange",this.follow),es.removeEventListener("change",this.connectionChanged),removeEventListener("pointerdown",this.closeDisplay),super.disconnectedCallback()}focusRoom(e){e?.preventDefault(),scrollTo(0,0),this.renderRoot.querySelector("main")?.focus({preventScroll:!0})}updated(e){e.has("route")&&Ms(ms.find(({path:t})=>t===this.route.room)?.title??"Nothing here")}render(){let e=ms.find(({path:t})=>t===this.route.room);return u`
      <a class="skip button primary" href="#main" @click=${t=>this.focusRoom(t)}>Skip to the room</a>
      <header>
        <a class="name" href="#/${ms[0]?.path??""}" aria-label="boardgym studio, first room">
          <img src="/static/icon.svg" alt="" width="26" height="26" /><span>boardgym</span>
        </a>
        <nav aria-label="Rooms">
          ${ms.map(({path:t,title:r})=>u`<a href="#/${t}" aria-current=${t===this.route.room?"page":"false"}>${r}</a>`)}
        </nav>
        ${this.renderDisplay()}
      </header>
      <div role="status">
        ${es.isLost?u`<div class="lost">
              The studio does not answer: is <code>boardgym studio</code> still running? This page goes on as soon as it is back.
            </div>`:y}
      </div>
      <main id="main" tabindex="-1" aria-label=${e?.title??"Nothing here"}>
        ${e?e.draw(this.route):cd(this.route)}
      </main>
    `}renderDisplay(){return u`<details
      class="display"
      @keydown=${e=>{let t=e.currentTarget;e.key!=="Escape"||!t.open||(t.open=!1,t.querySelector("summary")?.focus())}}
    >
      <summary>Display</summary>
      <div>
        <div class="field">
          <label for="theme">Theme</label>
          <select
            id="theme"
            @change=${e=>Vt.setTheme(e.target.value)}
          >
            ${Ur.map(e=>u`<option value=${e} ?selected=${e===Vt.theme}>${Lf[e]}</option>`)}
          </select>
        </div>
        <label class="check">
          <input
            type="checkbox"
            .checked=${Vt.isColourBlind}
            @change=${e=>Vt.setColourBlind(e.target.checked)}
          />
          Colour-blind palette
        </label>
      </div>
    </details>`}};qi.styles=[K,Y,j`
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
    `],v([T()],qi.prototype,"route",2),qi=v([B("boardgym-studio")],qi);var pd=i=>[i.room,...i.rest].join("/");export{qi as Studio};
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
