/* Built by make components from the folders beside this one: edit those. */
var mount=make=>{let drawn=new WeakMap;return component=>{let{parentElement}=component,one=drawn.get(parentElement)??make(
parentElement);return drawn.set(parentElement,one),one.render(component),()=>{drawn.get(parentElement)?.stop(),drawn.delete(
parentElement)}}},onLeave=leave=>{let hidden=()=>{document.visibilityState==="hidden"&&leave()};return document.addEventListener(
"visibilitychange",hidden),window.addEventListener("pagehide",leave),()=>{document.removeEventListener("visibilitychange",
hidden),window.removeEventListener("pagehide",leave)}};var SIGNS_OF_LIFE=["keydown","mousemove","pointerdown","wheel","scroll","touchmove"],ActiveTime=class{constructor(){this.
total=0,this.mark=this.life=performance.now(),this.seen=document.visibilityState==="visible",this.alive=()=>{this.settle(),
this.life=performance.now()},this.turned=()=>{this.settle(),document.visibilityState==="visible"&&(this.life=performance.
now())};for(let kind of SIGNS_OF_LIFE)window.addEventListener(kind,this.alive,{capture:!0,passive:!0});document.addEventListener(
"visibilitychange",this.turned,!0)}get isActive(){return document.visibilityState==="visible"&&performance.now()-this.life<=
6e4}settle(){let now=performance.now(),counted=Math.min(now,this.life+6e4)-this.mark;this.seen&&counted>0&&(this.total+=
counted),this.mark=now,this.seen=document.visibilityState==="visible"}start(seconds=0){this.total=Math.max(0,Number(seconds)||
0)*1e3,this.mark=this.life=performance.now(),this.seen=document.visibilityState==="visible"}get seconds(){return this.settle(),
Math.round(this.total/100)/10}stop(){for(let kind of SIGNS_OF_LIFE)window.removeEventListener(kind,this.alive,{capture:!0});
document.removeEventListener("visibilitychange",this.turned,!0)}};var overStorage=open=>({get(key){try{return JSON.parse(open().getItem(key)??"null")}catch{return null}},set(key,value){try{
return open().setItem(key,JSON.stringify(value)),!0}catch{return!1}},drop(key){try{open().removeItem(key)}catch{return}},
keys(prefix){try{return Object.keys(open()).filter(key=>key.startsWith(prefix))}catch{return[]}}}),memory=overStorage(()=>localStorage),
tabMemory=overStorage(()=>sessionStorage);var freshKey=()=>crypto.randomUUID?.()??[...crypto.getRandomValues(new Uint8Array(16))].map(byte=>byte.toString(16).padStart(
2,"0")).join(""),isOffline=error=>error instanceof TypeError||error instanceof DOMException,reasonOf=error=>error instanceof
TypeError?"no connection":error instanceof Error?error.message:String(error),locate=path=>`${globalThis.benchwrightBase??
""}${path}`,get=async(path,signal)=>{let answer=await fetch(locate(path),{signal});if(answer.ok)return answer;throw new Error(
(await answer.json().catch(()=>({}))).message??`The server answered ${answer.status}.`)},getJson=async path=>(await get(
path)).json(),post=async(path,body,{keepalive=!1,patience=15e3}={})=>{let text=JSON.stringify(body),answer=await fetch(locate(
path),{method:"POST",body:text,headers:{"Content-Type":"application/json","X-Benchwright":"desk"},keepalive:keepalive&&new Blob(
[text]).size<6e4,signal:keepalive?void 0:AbortSignal.timeout(patience)}),received=await answer.json().catch(()=>{if(answer.
ok)throw new TypeError("The server's answer is incomplete.");return{}});return{status:answer.status,body:received}},postOnce=async(path,body)=>{
try{return await post(path,body)}catch(error){if(!isOffline(error))throw error;return null}},untilOnline=seconds=>new Promise(
go=>{let done=()=>{clearTimeout(timer),window.removeEventListener("online",done),go()},timer=setTimeout(done,seconds*1e3);
window.addEventListener("online",done)}),persist=async(path,body,hearTrouble)=>{for(let wait=1;;wait=Math.min(wait*2,10)){
let answer=await postOnce(path,body);if(answer&&answer.status<500)return answer;hearTrouble(answer?`the server answered ${answer.
status}`:"no connection"),await untilOnline(wait)}},waitAtMost=(awaited,most)=>Promise.race([awaited,new Promise(go=>setTimeout(
go,most))]);var LANGUAGE_NAMES={en:"English",zh:"Chinese"},PAIR=/[\ud800-\udbff][\udc00-\udfff]/g,points=text=>{let n=text.length;for(PAIR.
lastIndex=0;PAIR.test(text);)n--;return n},units=(text,n)=>{let at=0;for(;n>0&&at<text.length;n--)at+=(text.codePointAt(
at)??0)>65535?2:1;return at},NAMES={173:"soft hyphen",1564:"ALM",6158:"MVS",8203:"zero width space",8204:"ZWNJ",8205:"ZW\
J",8206:"LRM",8207:"RLM",8232:"line separator",8233:"paragraph separator",8234:"LRE",8235:"RLE",8236:"PDF",8237:"LRO",8238:"\
RLO",8288:"word joiner",8294:"LRI",8295:"RLI",8296:"FSI",8297:"PDI",65279:"BOM"},UNSEEN=/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu,
JOINS=/(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Sinhala})$/u,
TURNS=/[\u202a-\u202e\u2066-\u2069]/,nameOf=character=>{let code=character.codePointAt(0)??0;return NAMES[code]??`U+${code.
toString(16).toUpperCase().padStart(4,"0")}`},unseen=text=>{let found=[];for(let match of text.matchAll(UNSEEN))(!(match[0]===
"‍"||match[0]==="‌")||!JOINS.test(text.slice(Math.max(0,match.index-2),match.index)))&&found.push([match.index,match[0]]);
return found},turnsText=character=>TURNS.test(character),unseenNote=text=>{let names=[...new Set(unseen(text).map(([,character])=>nameOf(
character)))];return names.length?`This text contains invisible characters: ${names.join(", ")}`:""},clock=(when,seconds=!0)=>{
let at=new Date(when),two=n=>String(n).padStart(2,"0");return Number.isNaN(at.valueOf())?"earlier":[at.getHours(),at.getMinutes(),
...seconds?[at.getSeconds()]:[]].map(two).join(":")},day=at=>{let when=new Date(at);return Number.isNaN(when.valueOf())?
"earlier":`${when.toLocaleDateString([],{dateStyle:"medium"})}, ${clock(at,!1)}`};var MAX_CACHED_CHARACTERS=6e7,SECTION=6e3,LONGEST_BLOCK=4e3,cache=new Map,fetchDocument=async id=>{let stored=await getJson(
`/bench/document/${encodeURIComponent(id)}`),found={...stored,sentences:[],numbered:Promise.resolve(),...layOut(stored.text)};
return found.numbered=getJson(`/bench/sentences/${encodeURIComponent(id)}`).then(({sentences})=>{found.sentences=sentences},
()=>{}),found},documentOf=id=>{let held=cache.get(id);if(held)return held.promise;let entry={promise:fetchDocument(id),characters:0};
return cache.set(id,entry),entry.promise.then(found=>{entry.characters=found.text.length;let total=[...cache.values()].reduce(
(sum,one)=>sum+one.characters,0);for(let[other,one]of cache){if(total<=MAX_CACHED_CHARACTERS||other===id)break;total-=one.
characters,cache.delete(other)}},()=>cache.delete(id)),entry.promise},layOut=text=>{let astral=/[\ud800-\udbff]/.test(text),
blocks=[],p=0,add=(u,e)=>{let n=astral?points(text.slice(u,e)):e-u;blocks.push({u,e,p,n}),p+=n};for(let start=0;start<=text.
length;){let end=text.indexOf(`
`,start);for(end<0&&(end=text.length);end-start>LONGEST_BLOCK;){let space=text.lastIndexOf(" ",start+LONGEST_BLOCK),stop=Math.
max(text.lastIndexOf("。",start+LONGEST_BLOCK),space),cut=stop>start+LONGEST_BLOCK/2?stop+1:start+LONGEST_BLOCK;/[\udc00-\udfff]/.
test(text[cut])&&cut++,add(start,cut),start=cut}add(start,end),p++,start=end+1}let sections=[];for(let first=0;first<blocks.
length;){let last=first;for(;last+1<blocks.length&&blocks[last].e-blocks[first].u<SECTION&&last-first<60;)last++;sections.
push({first,last}),first=last+1}return{blocks,sections,astral,length:p-1}},lastUpTo=(list,value,key)=>{let low=0,high=list.
length;for(;low<high;){let mid=low+high>>1;key(list[mid])<=value?low=mid+1:high=mid}return low-1},unitAt=(found,point)=>{
let block=found.blocks[Math.max(0,lastUpTo(found.blocks,point,b=>b.p))];return found.astral?block.u+units(found.text.slice(
block.u,block.e+1),point-block.p):block.u+point-block.p},textOf=(found,span)=>found.text.slice(unitAt(found,span.start),
unitAt(found,span.end)),sentencesOf=(found,span)=>{let first=found.sentences.findIndex(([,end])=>end>span.start),last=lastUpTo(
found.sentences,span.end-1,s=>s[0]);return first<0||last<first?"":first===last?`${first+1}`:`${first+1}-${last+1}`},spansFromNumbers=(typed,found)=>{
let count=found.sentences.length;return typed.split(/[,;，；、\s]+(?![-–]|$)/).filter(Boolean).map(piece=>{let match=piece.
replace(/\s/g,"").match(/^(\d+)(?:[-–](\d+))?$/);if(!match)throw new Error(`"${piece.trim()}" is not a sentence number\
: write 12 or 14-16.`);let[from,to]=[Number(match[1]),Number(match[2]??match[1])];if(from<1||to>count||to<from)throw new Error(
`This document has sentences 1 to ${count}.`);return{document:found.id,start:found.sentences[from-1][0],end:found.sentences[to-
1][1]}})};var el=(tag,name="",text=null)=>{let node=document.createElement(tag);return name&&(node.className=name),text!==null&&(node.
textContent=text),node},button=(name="",text="")=>Object.assign(el("button",name,text),{type:"button"}),find=(root,selector,kind)=>{
let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(`No ${kind?.name??"node"}\
 at ${selector}.`);return node},finder=root=>(name,kind)=>find(root,`.${name}`,kind),findAll=(root,selector,_kind)=>[...root.
querySelectorAll(selector)],focused=root=>root.getRootNode().activeElement,write=(node,text)=>{let at=0;for(let[index,character]of unseen(
text)){index>at&&node.append(text.slice(at,index));let ghost=el("span",turnsText(character)?"ghost turn":"ghost",character);
ghost.dataset.name=nameOf(character),ghost.title=`An unseen character: ${nameOf(character)}`,node.append(ghost),at=index+
character.length}return at<text.length&&node.append(at?text.slice(at):text),node},foreign=(tag,name,text)=>{let node=el(
tag,`${name} foreign`);return node.dir="auto",write(node,text)},relabel=(node,words)=>{let text=node.firstChild;text&&(node.
dataset.words??=text.nodeValue??"",text.nodeValue=words===void 0?node.dataset.words:`${words} `)};var PREFIX="benchwright.desk",FORGET_AFTER_MS=30*864e5,PAUSE_MS=400,TAB=(()=>{let fresh=freshKey();try{let place=`${PREFIX}\
.tab`;return sessionStorage.getItem(place)||sessionStorage.setItem(place,fresh),sessionStorage.getItem(place)??fresh}catch{
return fresh}})(),wordsKey=(person,subject,revision)=>`${PREFIX}.words:${person}:${subject}:${revision}`,visitKey=(person,item,revision)=>`${PREFIX}\
.visit:${person}:${item}:${revision}`,subjectOf=(on,item)=>on?`${on}:${item}`:item,localDraft=(person,subject)=>memory.keys(
`${PREFIX}.words:${person}:${subject}:`).map(key=>memory.get(key)).filter(copy=>copy&&typeof copy.question=="string"&&Array.
isArray(copy.evidence)).sort((a,b)=>b.at-a.at)[0]??null,newestDraft=(person,subject,stored)=>{let here=person?localDraft(
person,subject):null,there=stored?{...stored,at:Date.parse(stored.saved_at)||0}:null;return here&&(!there||here.at>there.
at)?{...here,local:!0}:there},forget=(person,subject)=>{for(let key of memory.keys(`${PREFIX}.`))key.includes(`:${person}\
:${subject}:`)&&memory.drop(key)},dropOldDrafts=()=>{for(let key of memory.keys(`${PREFIX}.`)){let copy=memory.get(key);
copy?.at&&Date.now()-copy.at>FORGET_AFTER_MS&&memory.drop(key)}},DraftKeeper=class{constructor(owner){this.owner=owner,this.
dirty=this.held=this.asks=!1,this.body=null,this.at=0,this.timer=0,this.since=void 0,this.flight=null}typed(){let{item,data,
words,evidence=[],base,time,on="",labelAnswers}=this.owner,body={person:data.person,item:item.id,revision:base,question:words.
question,answer:words.answer,evidence,seconds:time.seconds,on,label_answers:labelAnswers??void 0};this.body=body,this.at=
Date.now(),this.dirty=!0,memory.set(this.keyOf(body),{...body,at:this.at}),clearTimeout(this.timer),this.timer=setTimeout(
()=>this.flush(),PAUSE_MS)}flush(){return clearTimeout(this.timer),this.dirty&&!this.held&&!this.asks&&(this.flight??=this.
send().finally(()=>{this.flight=null})),this.flight??Promise.resolve()}async send(){let{owner}=this;for(let wait=1;this.
dirty&&!this.held;wait=Math.min(wait*2,10)){let{body,at}=this;if(!body)return;this.dirty=!1;let why="no connection";try{
let answer=await post(this.address(body),this.withTab(body)),isShown=body.item===this.body?.item;if(answer.status===200){
this.stored(body,at),isShown&&this.since!==void 0&&(this.since=answer.body.saved_at),owner.hearHolder?.(answer.body.held,
body.item),isShown&&owner.saved(`saved ${clock(Date.now())}`),wait=1;continue}if(answer.status===409&&answer.body.theirs){
if(!isShown)return;this.asks=!0,owner.saved("not stored: choose one of the two",!0),owner.elsewhere(answer.body.theirs,answer.
body.message);return}if(answer.status<500){owner.saved(`not stored: ${answer.body.message??`the server answered ${answer.
status}`}`,!0);return}why=`the server answered ${answer.status}`}catch(error){if(!isOffline(error))throw error}if(body.item!==
this.body?.item||owner.gone)return;this.dirty=!0,owner.saved(`not saved yet: ${why}, trying again`,!0),await untilOnline(
wait)}}withTab(body){return this.since===void 0?body:{...body,tab:TAB,since:this.since,key:this.owner.pressKey??""}}knows(savedAt=""){
this.since=savedAt,this.asks=!1}address({on}){return on?`/bench/${on}/scratch`:"/bench/scratch"}keyOf({person,item,revision,
on}){return`${wordsKey(person,subjectOf(on,item),revision)}:${TAB}`}stored(body,at){let key=this.keyOf(body);memory.get(
key)?.at<=at&&memory.drop(key)}last(){if(clearTimeout(this.timer),!this.dirty&&!this.flight)return;let{body,at}=this;!body||
this.held||this.asks||post(this.address(body),this.withTab(body),{keepalive:!0}).then(answer=>answer.status===200&&this.
stored(body,at),()=>{})}async hold(){clearTimeout(this.timer),this.held=!0,this.flight&&await waitAtMost(this.flight,1e3)}release(){
this.held=!1,this.dirty&&this.flush()}done(){this.dirty=this.held=!1,this.body=null,clearTimeout(this.timer)}leave(){this.
dirty&&this.last(),this.done()}};var describeLost=({hasWords})=>` took over what you had open: nothing was stored on it from you, and this is the next fr\
ee one.${hasWords?" What you typed on it is kept: b leads back to it.":""}`,showLost=sheet=>{let{lost}=sheet,place=sheet.
find("lost");place.hidden=!lost,sheet.lost=null,lost&&place.replaceChildren(foreign("b","",lost.by),describeLost(lost))};var BlindAnswer=class{constructor(desk){this.desk=desk,this.notice=find(desk.root,".blind-notice"),this.mine=find(desk.root,
".own-answer"),find(this.mine,".use-own").onclick=()=>this.use()}draw(){let{data,root}=this.desk,[blind,alone]=[!!data.blind,
!!data.alone];if(root.classList.toggle("blind",blind),root.classList.toggle("alone",alone),this.notice.hidden=!blind,find(
root,".alone-notice").hidden=!alone,relabel(find(root,".answer-label"),blind||alone?"Your own answer":void 0),relabel(find(
root,".accept"),blind?"Show the draft":void 0),this.mine.hidden=blind||!data.own_answer,blind||!data.own_answer)return;let words=find(
this.mine,".own-words");words.replaceChildren(),write(words,data.own_answer.text),find(this.mine,".use-own",HTMLButtonElement).
disabled=!this.desk.mayEdit}use(){let{desk}=this;!desk.mayEdit||!desk.data.own_answer||desk.setAnswer(desk.data.own_answer.
text)}async reveal(){let{desk}=this,{deciding,keeper}=desk;if(!deciding.mayDecide)return;let text=desk.words.answer;if(!text.
trim())return desk.say("Write your own answer first; the draft's is shown after that."),desk.enter("answer");deciding.busy=
!0,desk.say(""),desk.buttons(),await keeper.hold();let{person}=desk.data,item=desk.item.id;desk.saved("storing your answ\
er");let body={person,item,answer:text,seconds:desk.time.seconds},answer=await persist("/bench/own",body,why=>desk.saved(
`not stored yet: ${why}, trying again`,!0));if(deciding.busy=!1,desk.item.id!==item)return;if(answer.status!==200)return keeper.
release(),desk.saved(""),desk.say(answer.body.message??`Your answer was not stored: the server answered ${answer.status}\
.`),desk.buttons();keeper.done(),forget(person,`own:${item}`),desk.keepVisit();let{position,note,bar,visit}=desk.data;desk.
data={...desk.data,blind:!1,...answer.body.desk,position,note,bar,visit},desk.open(desk.data.item),desk.saved(`your answ\
er stored ${clock(Date.now())}`)}};var Diff=class{diff(oldStr,newStr,options={}){let callback;typeof options=="function"?(callback=options,options={}):"cal\
lback"in options&&(callback=options.callback);let oldString=this.castInput(oldStr,options),newString=this.castInput(newStr,
options),oldTokens=this.removeEmpty(this.tokenize(oldString,options)),newTokens=this.removeEmpty(this.tokenize(newString,
options));return this.diffWithOptionsObj(oldTokens,newTokens,options,callback)}diffWithOptionsObj(oldTokens,newTokens,options,callback){
var _a;let done=value=>{if(value=this.postProcess(value,options),callback){setTimeout(function(){callback(value)},0);return}else
return value},newLen=newTokens.length,oldLen=oldTokens.length,editLength=1,maxEditLength=newLen+oldLen;options.maxEditLength!=
null&&(maxEditLength=Math.min(maxEditLength,options.maxEditLength));let maxExecutionTime=(_a=options.timeout)!==null&&_a!==
void 0?_a:1/0,abortAfterTimestamp=Date.now()+maxExecutionTime,bestPath=[{oldPos:-1,lastComponent:void 0}],newPos=this.extractCommon(
bestPath[0],newTokens,oldTokens,0,options);if(bestPath[0].oldPos+1>=oldLen&&newPos+1>=newLen)return done(this.buildValues(
bestPath[0].lastComponent,newTokens,oldTokens));let minDiagonalToConsider=-1/0,maxDiagonalToConsider=1/0,execEditLength=()=>{
for(let diagonalPath=Math.max(minDiagonalToConsider,-editLength);diagonalPath<=Math.min(maxDiagonalToConsider,editLength);diagonalPath+=
2){let basePath,removePath=bestPath[diagonalPath-1],addPath=bestPath[diagonalPath+1];removePath&&(bestPath[diagonalPath-
1]=void 0);let canAdd=!1;if(addPath){let addPathNewPos=addPath.oldPos-diagonalPath;canAdd=addPath&&0<=addPathNewPos&&addPathNewPos<
newLen}let canRemove=removePath&&removePath.oldPos+1<oldLen;if(!canAdd&&!canRemove){bestPath[diagonalPath]=void 0;continue}
if(!canRemove||canAdd&&removePath.oldPos<addPath.oldPos?basePath=this.addToPath(addPath,!0,!1,0,options):basePath=this.addToPath(
removePath,!1,!0,1,options),newPos=this.extractCommon(basePath,newTokens,oldTokens,diagonalPath,options),basePath.oldPos+
1>=oldLen&&newPos+1>=newLen)return done(this.buildValues(basePath.lastComponent,newTokens,oldTokens))||!0;bestPath[diagonalPath]=
basePath,basePath.oldPos+1>=oldLen&&(maxDiagonalToConsider=Math.min(maxDiagonalToConsider,diagonalPath-1)),newPos+1>=newLen&&
(minDiagonalToConsider=Math.max(minDiagonalToConsider,diagonalPath+1))}editLength++};if(callback)(function exec(){setTimeout(
function(){if(editLength>maxEditLength||Date.now()>abortAfterTimestamp)return callback(void 0);execEditLength()||exec()},
0)})();else for(;editLength<=maxEditLength&&Date.now()<=abortAfterTimestamp;){let ret=execEditLength();if(ret)return ret}}addToPath(path,added,removed,oldPosInc,options){
let last=path.lastComponent;return last&&!options.oneChangePerToken&&last.added===added&&last.removed===removed?{oldPos:path.
oldPos+oldPosInc,lastComponent:{count:last.count+1,added,removed,previousComponent:last.previousComponent}}:{oldPos:path.
oldPos+oldPosInc,lastComponent:{count:1,added,removed,previousComponent:last}}}extractCommon(basePath,newTokens,oldTokens,diagonalPath,options){
let newLen=newTokens.length,oldLen=oldTokens.length,oldPos=basePath.oldPos,newPos=oldPos-diagonalPath,commonCount=0;for(;newPos+
1<newLen&&oldPos+1<oldLen&&this.equals(oldTokens[oldPos+1],newTokens[newPos+1],options);)newPos++,oldPos++,commonCount++,
options.oneChangePerToken&&(basePath.lastComponent={count:1,previousComponent:basePath.lastComponent,added:!1,removed:!1});
return commonCount&&!options.oneChangePerToken&&(basePath.lastComponent={count:commonCount,previousComponent:basePath.lastComponent,
added:!1,removed:!1}),basePath.oldPos=oldPos,newPos}equals(left,right,options){return options.comparator?options.comparator(
left,right):left===right||!!options.ignoreCase&&left.toLowerCase()===right.toLowerCase()}removeEmpty(array){let ret=[];for(let i=0;i<
array.length;i++)array[i]&&ret.push(array[i]);return ret}castInput(value,options){return value}tokenize(value,options){return Array.
from(value)}join(chars){return chars.join("")}postProcess(changeObjects,options){return changeObjects}get useLongestToken(){
return!1}buildValues(lastComponent,newTokens,oldTokens){let components=[],nextComponent;for(;lastComponent;)components.push(
lastComponent),nextComponent=lastComponent.previousComponent,delete lastComponent.previousComponent,lastComponent=nextComponent;
components.reverse();let componentLen=components.length,componentPos=0,newPos=0,oldPos=0;for(;componentPos<componentLen;componentPos++){
let component=components[componentPos];if(component.removed)component.value=this.join(oldTokens.slice(oldPos,oldPos+component.
count)),oldPos+=component.count;else{if(!component.added&&this.useLongestToken){let value=newTokens.slice(newPos,newPos+
component.count);value=value.map(function(value2,i){let oldValue=oldTokens[oldPos+i];return oldValue.length>value2.length?
oldValue:value2}),component.value=this.join(value)}else component.value=this.join(newTokens.slice(newPos,newPos+component.
count));newPos+=component.count,component.added||(oldPos+=component.count)}}return components}};var ArrayDiff=class extends Diff{tokenize(value){return value.slice()}join(value){return value}removeEmpty(value){return value}},
arrayDiff=new ArrayDiff;function diffArrays(oldArr,newArr,options){return arrayDiff.diff(oldArr,newArr,options)}var WORDS=/\p{Script=Han}\p{M}*|[\p{L}\p{N}][\p{L}\p{N}\p{M}'\u2019_-]*|\s+|\p{Extended_Pictographic}[\p{M}\ufe0f\u200d\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}]*|./gsu,
TOO_LONG=2e5,TOO_MANY_CHANGES=800,LONGEST_WORD=100,tokens=text=>(text.match(WORDS)??[]).flatMap(word=>/^\p{Script=Han}/u.
test(word)?[word]:word.split(/(?=\p{Script=Han})/u)),wordDiff=(before,after)=>{let[from,to]=sameEnds(before,after),[gone,
fresh]=[before.slice(from,before.length-to),after.slice(from,after.length-to)],middle=(gone.length+fresh.length<=TOO_LONG?
diffArrays(tokens(gone),tokens(fresh),{maxEditLength:TOO_MANY_CHANGES}):void 0)?.map(({added,removed,value})=>[removed?"\
gone":added?"new":"same",value.join("")])??[["gone",gone],["new",fresh]];return joined([["same",before.slice(0,from)],...middle,
["same",before.slice(before.length-to)]])},sameEnds=(before,after)=>{let shorter=Math.min(before.length,after.length),from=0;
for(;from<shorter&&before[from]===after[from];)from++;let to=0;for(;to<shorter-from&&before[before.length-1-to]===after[after.
length-1-to];)to++;let blank=at=>/\s/.test(before[at]??" ");for(let n=0;n<LONGEST_WORD&&from>0&&!blank(from-1);n++)from--;
for(let n=0;n<LONGEST_WORD&&to>0&&!blank(before.length-to);n++)to--;let splits=at=>/[\udc00-\udfff]/.test(before[at]??"");
return[from&&splits(from)?from-1:from,to&&splits(before.length-to)?to-1:to]},joined=parts=>{let out=[],gone="",fresh="",
flush=()=>{gone&&out.push(["gone",gone]),fresh&&out.push(["new",fresh]),gone="",fresh=""},filled=parts.filter(([,text])=>text);
return filled.forEach(([kind,text],n)=>{if(kind==="gone")gone+=text;else if(kind==="new")fresh+=text;else if(/^ $/.test(
text)&&(gone||fresh)&&n+1<filled.length&&filled[n+1][0]!=="same")gone+=text,fresh+=text;else{flush();let last=out.at(-1);
last?.[0]==="same"?last[1]+=text:out.push(["same",text])}}),flush(),out};var MAX_SHOWN=1200,differenceLine=(name,before,after,most=MAX_SHOWN)=>{let line=el("p","diff-line foreign");line.dir="au\
to",line.append(el("span","faint diff-name",`${name} `));for(let[kind,text]of wordDiff(before,after)){let piece=el(kind===
"gone"?"del":kind==="new"?"ins":"span");text.length<=most?write(piece,text):(write(piece,text.slice(0,most/2)),piece.append(
el("span","faint",` … ${(text.length-most).toLocaleString("en")} characters … `)),write(piece,text.slice(-most/2))),
line.append(piece)}return line},markedText=(name,other,text)=>{let line=el("p",`${name} foreign`);line.dir="auto";for(let[
kind,words]of wordDiff(other,text)){if(kind==="gone")continue;let piece=el(kind==="new"?"ins":"span");write(piece,words),
line.append(piece)}return line},scrollToMarked=place=>{for(let line of findAll(place,".versus p")){let first=line.querySelector(
"ins");first&&(line.scrollTop=first.getBoundingClientRect().top-line.getBoundingClientRect().top-24)}};var PREFERENCES=`${PREFIX}.shown`,preferences={get:(name,otherwise)=>memory.get(PREFERENCES)?.[name]??otherwise,set:(name,value)=>memory.
set(PREFERENCES,{...memory.get(PREFERENCES),[name]:value})};var GuidelineNotice=class{constructor(desk){this.desk=desk,this.box=find(desk.root,".guideline",HTMLDetailsElement),this.
box.ontoggle=()=>{this.box.hidden||preferences.set(this.name,this.box.open?0:this.version)}}get name(){return`guideline:${this.
desk.item.task}`}get version(){return this.desk.data.guideline?.version??0}draw(){let found=this.desk.data.guideline;if(this.
box.hidden=!found?.text,!found?.text)return;this.box.open=preferences.get(this.name,0)!==found.version;let summary=find(
this.box,"summary");summary.replaceChildren(`Guideline, version ${found.version}`),found.is_newer&&summary.append(Object.
assign(el("span","chip warn newer","newer than the decision"),{title:"The item was decided on under an older version, or\
 before the guideline: check whether the decision is still right."})),find(this.box,".marked").innerHTML=found.html}};var VERBS={accept:"accepted",discard:"discarded",undo:"took a decision back"},ASSISTANCE={none:"written without a draft",
"blind reveal":"own answer before the draft"},HistoryList=class{constructor(desk){this.desk=desk,this.list=find(desk.root,
".history-list"),this.button=find(desk.root,".history-toggle"),this.button.onclick=()=>this.toggle()}wanted=!1;asked=null;draw(){
let open=preferences.get("history",!1);this.list.hidden=!open;let revisions=this.desk.data.history?.length??0,count=revisions>
1?` ${revisions} revisions `:" ";this.button.replaceChildren(el("span","label","History"),count,el("kbd","","h")),this.button.
setAttribute("aria-expanded",String(open)),open&&this.fetch()}toggle(){this.wanted=!!this.list.hidden,preferences.set("h\
istory",this.wanted),this.draw()}async fetch(){let{item,data}=this.desk,asked={};this.asked=asked;let rows;try{let answer=await fetch(
locate(`/bench/history/${encodeURIComponent(item.id)}?person=${encodeURIComponent(data.person)}`)),found=await answer.json();
if(!answer.ok)throw new Error(found.message??`The server answered ${answer.status}.`);rows=this.events(found)}catch(error){
rows=[el("li","faint",`The history could not be opened: ${error instanceof Error?error.message:error}`)]}this.asked===asked&&
(this.list.replaceChildren(...rows),this.wanted&&this.list.parentElement&&this.desk.fit.bring(this.list.parentElement),this.
wanted=!1)}events({revisions,decisions}){return[...revisions.map((one,n)=>({at:one.at,row:this.revision(one,revisions[n-
1])})),...decisions.map(one=>({at:one.at,row:this.decision(one)}))].map((event,n)=>({...event,n})).sort((a,b)=>a.at<b.at?
1:a.at>b.at?-1:b.n-a.n).map(({row})=>row)}revision(one,before){let row=this.row("",`Revision ${one.revision}`,before?`by\
 ${one.by}`:`first words, by ${one.by||"the machine"}`,one.at);if(!before)return row;let pairs=[["Question",before.question,
one.question],["Answer",before.answers.join(`
`),one.answers.join(`
`)]];for(let[name,old,fresh]of[...pairs.filter(([,old2,fresh2])=>old2!==fresh2),...this.desk.labels.differences(before,one)])
row.append(differenceLine(name,old,fresh));let places=spans=>new Set(spans.map(span=>`${span.document}:${span.start}:${span.
end}`)),[had,has]=[places(before.evidence),places(one.evidence)],[gone,come]=[[...had].filter(place=>!has.has(place)).length,
[...has].filter(place=>!had.has(place)).length];return(gone||come)&&row.append(el("p","faint",`Evidence: ${[gone&&`${gone}\
 taken out`,come&&`${come} added`].filter(Boolean).join(", ")}`)),row}decision(one){let who=one.person===this.desk.data.
person?"You":one.person,kinds={accept:"accept-event",discard:"discard-event"},on=one.decision==="undo"?"":`revision ${one.
revision}`,row=this.row(kinds[one.decision]??"",`${who} ${VERBS[one.decision]??one.decision}`,[on,one.guideline&&`guidel\
ine ${one.guideline}`,ASSISTANCE[one.assistance??""]].filter(Boolean).join(", "),one.at),why=[one.reason,one.comment].filter(
Boolean).join(" – ");why&&row.append(foreign("p","",why)),row.append(...this.desk.questions.answerLines(one,[one]));let{
item}=this.desk;if(one.words&&one.revision===item.revision){let pairs=[["Question typed",item.question,one.words.question],
["Answer typed",item.answers[0]??"",one.words.answer]];for(let[name,old,fresh]of pairs.filter(([,old2,fresh2])=>old2!==fresh2))
row.append(differenceLine(name,old,fresh))}return row}row(kind,what,about,at){let row=el("li",`event ${kind}`),head=el("\
div","event-head"),time=el("span","faint",day(at));return time.title=at,head.append(foreign("span","gate",what),foreign(
"span","faint",about),time),row.append(head),row}};var LABELS={accepted:"accepted",discarded:"discarded",refused:"refused by a gate",drafted:"to review"},OUTCOMES={pass:"p\
assed",flag:"flagged",refuse:"refused","not run":"not run"},figure=value=>typeof value=="number"&&Number.isFinite(value)?
value.toFixed(2):"–",STEPS={common:"in common",differences:"told by one alone",draft:"first question",reconstruction:"\
rewritten",source_item:"starts from",regeneration:"drafted again"},ItemCard=class{constructor(desk){this.desk=desk,this.
root=desk.root,this.find=finder(this.root),this.definition=this.find("definition",HTMLDetailsElement),this.guideline=new GuidelineNotice(
desk),this.history=new HistoryList(desk),this.definition.ontoggle=()=>preferences.set("definition",this.definition.open),
this.find("diff-toggle").onclick=()=>this.toggleDiff(),this.find("put-back").onclick=()=>desk.boxes.putMachineBack()}draw(){
let{item,data}=this.desk,chips=[["task",item.task_label||item.task],["",item.level===null||item.level===void 0||item.level===
""?"":`Level ${item.level}`],["",item.domain],["",LANGUAGE_NAMES[item.language]??item.language],["faint",`rev. ${item.revision}`],
[`status ${item.status}`,LABELS[item.status]??item.status]];this.find("about").replaceChildren(...chips.filter(([,words2])=>words2).
map(([kind,words2])=>{let chip=foreign("span",`chip ${kind}`,words2),last=data.history?.at(-1);return kind==="faint"&&last&&
(chip.title=`Revision ${last.revision} by ${last.by||"the machine"}, ${last.at}`),chip})),this.definition.hidden=!item.definition,
this.definition.open=preferences.get("definition",!1),find(this.definition,"summary").textContent=`What ${item.task_label||
"this task"} asks for`;let words=find(this.definition,"p");words.replaceChildren(...foreign("span","",item.definition??"").
childNodes),words.dir="auto",this.note(),this.guideline.draw(),this.desk.blind.draw(),this.history.draw(),this.furtherAnswers(
item.answers.slice(1)),this.rewrites(data.rewrites??[]),this.verdicts(data.verdicts??[]),this.steps(data.steps??[]),this.
find("left").textContent=typeof data.position?.left=="number"?`${data.position.left} left`:"",this.find("undo").hidden=!data.
position?.undo,this.find("undo").title=data.position?.undo?`Takes back the decision on: ${data.position.undo.question}`:
"",this.find("next").hidden=data.show_next===!1,relabel(this.find("next"),data.next_label??void 0),this.find("previous").
hidden=data.show_next===!1&&!data.position?.has_back}note(){let{note,leads_to_opinions:leads}=this.desk.data,place=this.
find("item-note");if(place.hidden=!note,place.replaceChildren(foreign("span","",note??"")),!leads)return;let go=button("\
plain","Decide between them");go.onclick=()=>this.desk.deciding.free&&this.desk.deciding.ask("opinions",this.desk.item.id),
place.append(go)}furtherAnswers(answers){let place=this.find("further");place.hidden=!answers.length,place.replaceChildren(
el("span","faint","Also accepted"),...answers.map(words=>foreign("span","chip",words)))}rewrites(rows){let place=this.find(
"rewrites");place.hidden=!rows.length,find(place,"summary").textContent=rows.length===1?"One rewrite by a person":`${rows.
length} rewrites by people`,find(place,"ul").replaceChildren(...rows.map(one=>{let line=el("li","rewrite"),about=[one.person,
one.status==="drafted"?"waits for somebody to accept it":"",one.revision===this.desk.item.revision?"":`of revision ${one.
revision}`];return line.append(foreign("span","",one.text),foreign("span","faint",about.filter(Boolean).join(", "))),line}))}verdicts(rows){
let{rag}=this.desk.data;this.find("checks").hidden=!rows.length&&!rag;let order={refuse:0,flag:1,"not run":2,pass:3},worst=[
...rows].sort((a,b)=>(order[a.outcome]??4)-(order[b.outcome]??4)),telling=worst.filter(row=>row.outcome!=="pass"||row.why||
row.asked?.length),quiet=worst.filter(row=>!telling.includes(row)),list=telling.map(row=>{let line=el("li",`verdict ${row.
outcome.replace(" ","-")}`),dot=el("span","dot");if(dot.setAttribute("role","img"),dot.setAttribute("aria-label",OUTCOMES[row.
outcome]??row.outcome),line.append(dot,el("span","gate",row.gate.replaceAll("_"," ")),foreign("span","why",row.why||OUTCOMES[row.
outcome]||row.outcome)),row.asked?.length){let asked=el("details","asked");asked.append(el("summary","faint","What was a\
sked"),...row.asked.map(words=>foreign("p","faint",words))),line.append(asked)}return line});if(quiet.length){let line=el(
"li","verdict pass"),dot=el("span","dot");dot.setAttribute("role","img"),dot.setAttribute("aria-label","passed"),line.append(
dot,el("span","why",`Passed: ${quiet.map(row=>row.gate.replaceAll("_"," ")).join(", ")}`)),list.push(line)}this.find("ve\
rdicts").replaceChildren(...list),this.rag()}rag(){let{rag}=this.desk.data,place=this.find("rag");if(place.hidden=!rag,!rag)
return;let stale=rag.stale||this.desk.edited,line=el("div",stale?"figures stale":"figures"),judge=rag.judge===null||rag.
judge===void 0?"–":`${rag.judge}/9`,rows=[["precision",figure(rag.precision)],["recall",figure(rag.recall)],["F1",figure(
rag.f1)],["judge",judge]];rag.multi_choice!==void 0&&rows.push(["choice",rag.multi_choice===null?"–":String(rag.multi_choice)]),
line.append(el("span","rag-name","RAG check"),...rows.map(([name,value])=>{let cell=el("span","figure");return cell.append(
el("span","faint",name),el("b","",value)),cell})),stale&&line.append(Object.assign(el("span","chip warn","before the edi\
t"),{title:"These figures are about the text before the edit."})),rag.offline&&line.append(Object.assign(el("span","chip",
"offline"),{title:"Made by the offline agent, without an LLM."}));let rows2=[line];if(rag.answer){let answer=el("p","rag\
-answer");answer.append(el("span","faint","It answered "),foreign("span","",rag.answer)),rows2.push(answer)}place.replaceChildren(
...rows2)}steps(rows){this.find("steps").hidden=!rows.length,this.find("steps-list").replaceChildren(...rows.map(row=>{let line=el(
"li","step"),why=foreign("span","why",row.text??"");return line.append(el("span","gate",STEPS[row.kind]??row.kind.replaceAll(
"_"," ")),why),row.hits&&why.append(el("span","found",row.found),this.hits(row.hits)),line}))}hits(rows){let list=el("ul",
"hits");return list.append(...rows.map(hit=>{let line=el("li",hit.is_kept?"hit kept":"hit"),words=el("span","hit-words");
return words.append(foreign("b","",hit.title??""),foreign("span","",hit.why)),line.append(el("span","hit-state",hit.is_kept?
"kept":"dropped"),el("span","hit-score",String(hit.score??"–")),words),line})),list}evidence(){let{desk}=this,spans=desk.
evidence;this.find("evidence-count").textContent=spans.length?String(spans.length):"";let titles=new Map(desk.data.documents.
map((one,n)=>[one.id,[n+1,one.title]])),rows=spans.map((span,n)=>{let row=el("li",n===desk.paper.current?"span-row curre\
nt":"span-row"),go=button("plain go");go.title="Show it in the document";let number=el("span","badge",String(n+1)),words=el(
"span","words foreign");words.dir="auto";let where=el("span","faint sentence-numbers");go.append(number,words,where),go.
onclick=()=>desk.paper.jumpTo(n);let[place,title]=titles.get(span.document)??["?",""],inDocument=titles.size>1?`doc. ${place}`:
"";documentOf(span.document).then(found=>{let text=textOf(found,span);words.replaceChildren(),write(words,text.length>400?
`${text.slice(0,260)} … ${text.slice(-100)}`:text),where.textContent=inDocument,where.title=title,found.numbered.then(
()=>{let numbers=sentencesOf(found,span);where.textContent=[inDocument,numbers&&`s. ${numbers}`].filter(Boolean).join(",\
 ")})},()=>{words.textContent="The document could not be opened."});let drop=button("small remove","×");return drop.title=
`Remove evidence ${n+1}`,drop.setAttribute("aria-label",`Remove evidence ${n+1}`),drop.disabled=!desk.mayEdit,drop.onclick=
()=>desk.setEvidence(desk.evidence.filter((_,other)=>other!==n)),row.append(go,drop),row});rows.length||rows.push(el("li",
"faint none","No evidence. Select text in the document and press e, or type sentence numbers.")),this.find("evidence").replaceChildren(
...rows)}markCurrent(){this.find("evidence").querySelectorAll(".span-row").forEach((row,n)=>row.classList.toggle("curren\
t",n===this.desk.paper.current))}toggleDiff(){preferences.set("diff",!preferences.get("diff",!0)),this.diff()}diff(){let{
machine}=this.desk.data,{question,answer}=this.desk.words,place=this.find("diff"),changed=(machine?[["Question",machine.
question,question],["Answer",machine.answers?.[0]??"",answer]]:[]).filter(([,before,after])=>before!==after);if(place.hidden=
!changed.length||!!(this.desk.data.blind||this.desk.data.alone),place.hidden||!machine)return;let open=preferences.get("\
diff",!0),byMachine=machine.origin===void 0||machine.origin==="drafted";this.find("put-back").textContent=byMachine?"Put\
 the machine's text back":"Put the first text back",this.find("put-back",HTMLButtonElement).disabled=!this.desk.mayEdit,
this.find("diff-toggle").replaceChildren(open?"Hide ":"Show ",el("kbd","","d")),this.find("diff-body").hidden=!open,open&&
this.find("diff-body").replaceChildren(...changed.map(([name,before,after])=>differenceLine(name,before,after)))}hints(){
let{question,answer}=this.desk.words,say=(name,words)=>{this.find(name).hidden=!words,this.find(name).textContent=words};
say("question-hint",unseenNote(question));let frame=this.desk.item.is_frame?"A frame to fill: accept it with an answer i\
n your own words.":"";say("answer-hint",[frame,unseenNote(answer)].filter(Boolean).join(" "))}};var MARKS=["supported","fix","drop"],claimRow=(claims,n)=>{let{desk,at,rows}=claims,[row,state]=[rows[n],claims.stateOf(
n)],node=el("li",["claim",n===at?"current":"",state.words===void 0?state.mark??"":"fixed"].join(" "));node.onclick=event=>{
event.target instanceof HTMLTextAreaElement||claims.move(n)};let missing=(row.figures_not_found??[]).filter(Boolean),spans=el(
"div","claim-spans"),cited=row.evidence??[];spans.append(...claims.spotsOf(n).map((span,spot)=>claimSpan(claims,n,spot,span,
spot<cited.length?"cites":"candidate")));let buttons=el("div","claim-marks");buttons.append(...MARKS.map((name,index)=>{
let mark=button(state.mark===name?`small mark-${name} on`:`small mark-${name}`);return mark.append(name," ",el("kbd","",
String(index+1))),mark.setAttribute("aria-pressed",String(state.mark===name)),mark.disabled=!desk.mayEdit,mark.onclick=event=>{
event.stopPropagation(),claims.at=n,claims.set(name)},mark}));let write2=button("small rewrite-claim","write it anew ");
return write2.append(el("kbd","","Enter")),write2.disabled=!desk.mayEdit||state.mark==="drop",write2.onclick=event=>{event.
stopPropagation(),claims.at=n,claims.fix()},buttons.append(write2),state.words!==void 0&&buttons.append(el("span","faint",
"written anew")),missing.length&&state.words===void 0&&buttons.append(el("span","missing-note",`not in the evidence: ${missing.
join(", ")}`)),state.isLost&&buttons.append(el("span","faint lost-note","not in the answer as it stands")),node.append(n===
claims.fixing?fixBox(claims,n):claimText(state.words??row.claim,state.words===void 0?missing:[]),spans,buttons),node},claimText=(text,missing)=>{
let words=el("p","claim-text foreign");words.dir="auto";let any=missing.map(figure2=>figure2.replace(/[.*+?^${}()|[\]\\]/g,
"\\$&")).join("|"),at=0;for(let hit of any?text.matchAll(new RegExp(`(?<![A-Za-z0-9])(?:${any})(?![A-Za-z0-9])`,"gu")):[])
write(words,text.slice(at,hit.index)),words.append(Object.assign(write(el("span","missing"),hit[0]),{title:"This figure \
is not in the evidence."})),at=hit.index+hit[0].length;return write(words,text.slice(at))},claimSpan=(claims,n,spot,span,kind)=>{
let isNow=n===claims.at&&spot===claims.spot,place=button(`plain claim-span ${kind}${isNow?" now":""}`);place.tabIndex=-1;
let words=el("span","words foreign","…");return place.append(el("span","faint",kind==="cites"?"cites":"or"),words),documentOf(
span.document).then(found=>{words.replaceChildren(),write(words,textOf(found,span).slice(0,240)),found.numbered.then(()=>{
let numbers=sentencesOf(found,span);numbers&&place.append(el("span","faint sentence-numbers",`s. ${numbers}`))})},()=>{words.
textContent="The document could not be opened."}),place.onclick=event=>{event.stopPropagation(),claims.at=n,claims.look(
spot)},place},fixBox=(claims,n)=>{let box=el("textarea","claim-fix");return box.rows=2,box.dir="auto",box.spellcheck=!0,
box.setAttribute("aria-label","The claim in other words"),box.value=claims.stateOf(n).words??claims.rows[n].claim,box.oninput=
()=>claims.typed(box.value),box.onblur=()=>{claims.fixing===n&&claims.fixed(!1)},box};var spacedAnyhow=words=>new RegExp(words.trim().split(/\s+/).map(word=>word.replace(/[.*+?^${}()|[\]\\]/g,"\\$&")).join(
"\\s*"),"gu"),placesOf=(claims,answer)=>{let behind=0;return claims.map(words=>{if(!words?.trim())return null;let pattern=spacedAnyhow(
words);pattern.lastIndex=behind;let hit=pattern.exec(answer);return hit?(behind=hit.index+hit[0].length,[hit.index,behind]):
(pattern.lastIndex=0,hit=pattern.exec(answer),hit&&[hit.index,hit.index+hit[0].length])})},without=(answer,[from,to])=>{
let gap=answer.slice(to).match(/^\s*/)?.[0]??"";if(to+gap.length<answer.length||!from)return{answer:answer.slice(0,from)+
answer.slice(to+gap.length),gap};let before=answer.slice(0,from).match(/\s*$/)?.[0]??"";return{answer:answer.slice(0,from-
before.length)+answer.slice(to),gap:before}},withAgain=(answer,places,n,words,gap)=>{let before=places.slice(0,n).findLast(
place=>place);return before?answer.slice(0,before[1])+gap+words+answer.slice(before[1]):answer?words+gap+answer:words};var ClaimList=class{rows=[];states=new Map;at=0;spot=0;fixing=null;range=[0,0];before="";asked=!1;constructor(desk){this.
desk=desk,this.part=find(desk.root,".claims"),this.list=find(desk.root,".claims-list"),this.toggle=find(desk.root,".clai\
ms-toggle"),this.toggle.onclick=()=>this.open(!!this.list.hidden),this.sized=new ResizeObserver(()=>{this.focused&&desk.
fit.bring(this.nodes[this.at])})}stop(){this.sized.disconnect()}draw(states){this.rows=[],this.at=this.spot=0,this.fixing=
null,this.states=new Map(states??[]),this.asked=!1;let{item,data}=this.desk,answer=item.answers[0]??"";this.part.hidden=
!((data.claims?.length??0)>1||(answer.match(/[.!?](?=\s+\S)|[。！？](?=\s*\S)/g)??[]).length),this.list.hidden=!0,this.
list.replaceChildren(),this.title(),!this.part.hidden&&preferences.get("claims",!1)&&this.open(!0,!1)}stateOf(n){return this.
states.get(n)??{}}spotsOf(n){return[...this.rows[n].evidence??[],...this.rows[n].candidates??[]]}get nodes(){return[...this.
list.children]}get answer(){return this.desk.words.answer}get places(){return placesOf(this.rows.map(({claim},n)=>this.stateOf(
n).gap===void 0?this.stateOf(n).words??claim:null),this.answer)}get count(){return this.rows.length||(this.desk.data.claims?.
length??0)}get done(){let states=[...this.states.values()];return{marked:states.filter(one=>one.mark).length,toFix:states.
filter(one=>one.mark==="fix"&&one.words===void 0).length}}get left(){let{marked,toFix}=this.done,open=this.count-marked;
if(this.part.hidden||!this.count||this.list.hidden&&!marked)return"";let many=`${open} ${open===1?"claim":"claims"} not \
marked`;return[open&&many,toFix&&`${toFix} to fix`].filter(Boolean).join(", ")}title(){this.toggle.replaceChildren(el("s\
pan","label","Claims"),this.list.hidden?" check one by one ":" ",el("kbd","","g")),this.toggle.setAttribute("aria-expand\
ed",String(!this.list.hidden));let{marked,toFix}=this.done,count=this.rows.length||marked?`${marked} of ${this.count} cl\
aims`:"";find(this.part,".claims-note").textContent=[count,toFix&&`${toFix} to fix`].filter(Boolean).join(", "),this.desk.
find("claims-left").textContent=this.left}settled(){this.rows.length&&this.places.forEach((place,n)=>{let isLost=!place&&
this.stateOf(n).gap===void 0&&n!==this.fixing;isLost!==!!this.stateOf(n).isLost&&this.put(n,{isLost})}),this.title(),this.
fixing!==null&&this.desk.fit.bring(this.nodes[this.fixing])}async open(wanted,focus=!0){if(this.part.hidden||(this.list.
hidden=!wanted,preferences.set("claims",wanted),this.title(),!wanted))return;focus&&this.list.focus({preventScroll:!0});
let coming=this.asked?null:this.fetch();this.rows.length||await coming,focus&&this.move(this.at)}turn(){this.open(!!this.
list.hidden||!this.focused)}async fetch(){let{id,revision}=this.desk.item;this.asked=!0,this.rows=this.desk.data.claims??
[],this.rows.length?this.show():this.list.replaceChildren(el("li","faint","Looking for the claims"));try{let person=encodeURIComponent(
this.desk.data.person),{claims}=await getJson(`/bench/claims/${encodeURIComponent(id)}?revision=${revision}&person=${person}`);
if(this.desk.item.id!==id||this.desk.item.revision!==revision)return;let isSame=claims.length===this.rows.length;this.rows=
claims,isSame?claims.forEach((_,n)=>{n!==this.fixing&&this.put(n,{})}):this.show()}catch(error){if(this.desk.item.id!==id)
return;if(this.asked=!1,this.rows.length)return this.desk.say(`Other places of the claims could not be loaded: ${reasonOf(
error)}`);this.list.replaceChildren(el("li","faint",`The claims could not be loaded: ${reasonOf(error)}`))}}show(){this.
list.replaceChildren(...this.rows.map((_,n)=>claimRow(this,n))),this.rows.length||this.list.append(el("li","faint","No c\
laims were found in this answer.")),this.settled()}get focused(){let at=focused(this.desk.root);return!this.list.hidden&&
!!at&&this.list.contains(at)}put(n,changes){this.note(n,changes),this.nodes[n].replaceWith(claimRow(this,n)),n===this.at&&
this.watch()}watch(){this.sized.disconnect(),this.sized.observe(this.nodes[this.at])}note(n,changes){this.states.set(n,{
...this.stateOf(n),...changes,claim:this.rows[n].claim})}move(n){this.rows.length&&(this.at=Math.max(0,Math.min(n,this.rows.
length-1)),this.look(0),this.desk.fit.bring(this.nodes[this.at]))}look(spot){let spots=this.spotsOf(this.at),cited=this.
rows[this.at].evidence?.length??0;this.spot=Math.max(0,Math.min(spot,spots.length-1)),findAll(this.list,".claim").forEach(
(node,n)=>{node.classList.toggle("current",n===this.at),findAll(node,".claim-span").forEach((button2,other)=>button2.classList.
toggle("now",n===this.at&&other===this.spot))}),this.watch(),spots.length&&(this.spot<cited?this.desk.paper.lookAt(spots.
slice(0,cited),this.spot):this.desk.paper.lookAt([spots[this.spot]]))}addSpot(){let span=this.focused&&this.spotsOf(this.
at)[this.spot];span&&this.desk.setEvidence([...this.desk.evidence,span])}async toOpen(){await this.open(!0);let next=this.
rows.map((_,n)=>(this.at+1+n)%this.rows.length).find(n=>!this.stateOf(n).mark||this.stateOf(n).mark==="fix"&&this.stateOf(
n).words===void 0);next!==void 0?this.move(next):this.rows.length&&this.desk.say("All claims are marked.")}set(name){let n=this.
at;if(!this.rows[n]||!this.desk.mayEdit)return;let mark=this.stateOf(n).mark===name?void 0:name;mark==="drop"?this.takeOut(
n):this.stateOf(n).gap!==void 0&&this.bringBack(n),this.put(n,{mark}),this.list.focus({preventScroll:!0}),this.title(),this.
desk.keepVisit(),mark&&this.move(n+1)}takeOut(n){let place=this.places[n];if(!place)return;let{answer,gap}=without(this.
answer,place);this.note(n,{gap}),this.desk.setAnswer(answer)}bringBack(n){let{words,gap}=this.stateOf(n),answer=withAgain(
this.answer,this.places,n,words??this.rows[n].claim,gap||(this.desk.item.language==="zh"?"":" "));this.note(n,{gap:void 0}),
this.desk.setAnswer(answer)}fix(){let place=this.rows[this.at]&&this.places[this.at];if(!this.desk.mayEdit||this.stateOf(
this.at).gap!==void 0)return;if(!place)return this.desk.say("This claim is not in the answer as it stands: write it ther\
e (w).");this.fixing=this.at,this.range=place,this.before=this.answer.slice(...place),this.put(this.at,{});let box=find(
this.nodes[this.at],"textarea",HTMLTextAreaElement);box.focus(),box.setSelectionRange(box.value.length,box.value.length)}typed(words){
if(this.fixing===null)return;let[from,to]=this.range,{answer}=this;this.range=[from,from+words.length],this.note(this.fixing,
{words,mark:"fix"}),this.desk.setAnswer(answer.slice(0,from)+words+answer.slice(to)),this.desk.keepVisit()}fixed(goesOn){
let n=this.fixing;if(n===null)return;let words=this.stateOf(n).words;words!==void 0&&!words.trim()&&this.typed(this.before),
this.fixing=null,this.put(n,this.stateOf(n).words===this.rows[n].claim?{words:void 0}:{}),this.list.focus({preventScroll:!0}),
this.settled(),this.desk.keepVisit(),this.move(goesOn?n+1:n)}key(key,isRepeat){let step={ArrowDown:1,j:1,ArrowUp:-1,k:-1}[key],
turn={ArrowRight:1,ArrowLeft:-1}[key];if(step)this.move(this.at+step);else if(turn)this.look(this.spot+turn);else if(key===
"Enter"&&!isRepeat)this.fix();else if(MARKS[Number(key)-1]&&!isRepeat)this.set(MARKS[Number(key)-1]);else return!1;return!0}asStored(){
for(let[n,one]of this.states)this.states.set(n,{claim:one.claim,mark:one.mark==="drop"?void 0:one.mark});this.rows.length?
this.show():this.title()}get decided(){return[...this.states].sort(([a],[b])=>a-b).filter(([,one])=>one.mark).map(([,{claim,
mark}])=>({claim,mark}))}};var lineOf=owner=>owner.line??owner.box,showOtherWords=(owner,theirs,message,taken=()=>{})=>{hideOtherWords(owner);let place=el(
"div","notice other-words");place.setAttribute("role","alert");let[mine,take]=[button("button keep-mine","Keep mine"),button(
"button take-theirs","Take the other")],row=el("div","row");row.append(mine,take),place.append(el("p","",message),el("sp\
an","label","The other tab's text"),foreign("p","theirs",theirs.question),row);let choose=words=>{owner.keeper.knows(theirs.
saved_at),place.remove(),owner.box.value=words,owner.keeper.typed(),owner.keeper.flush()};mine.onclick=()=>choose(owner.
box.value),take.onclick=()=>{choose(theirs.question),taken()},lineOf(owner).after(place)},hideOtherWords=owner=>lineOf(owner).
parentElement?.querySelector(":scope > .other-words")?.remove();var SideBox=class{constructor(desk,on,box,told){this.desk=desk,this.on=on,this.box=box,this.told=told,this.keeper=new DraftKeeper(
this),this.box.oninput=()=>this.keeper.typed(),this.box.onblur=()=>this.keeper.flush()}get item(){return this.desk.item}get data(){
return this.desk.data}get gone(){return this.desk.gone}get base(){return this.desk.item.revision}get time(){return this.
desk.time}get words(){return{question:this.box.value,answer:""}}fill(kept){let copy=newestDraft(this.data.person,subjectOf(
this.on,this.item.id),kept);this.keeper.knows(kept?.saved_at),hideOtherWords(this),this.box.value=copy?.question??"",this.
saved(""),copy?.local&&this.keeper.typed()}elsewhere(theirs,message){showOtherWords(this,theirs,message)}saved(words,trouble=!1){
this.told.textContent=words,this.told.classList.toggle("trouble",trouble)}};var CommentThread=class extends SideBox{constructor(desk){let part=find(desk.root,".comments");super(desk,"comment",find(
part,".remark",HTMLTextAreaElement),find(part,".remark-saved")),this.part=part,find(this.part,".send").onclick=()=>this.
send()}sending=!1;key="";get line(){return find(this.part,".remark-line")}get isTyped(){return!!this.box.value.trim()}open(){
let{comments}=this.data;this.key=freshKey(),this.sending=!1,this.draw(comments?.thread??[]),this.fill(comments?.scratch)}leave(){
this.keeper.leave()}draw(thread){let{person}=this.data,standing=thread.filter(one=>!one.taken_back).length;find(this.part,
".comments-count").textContent=standing?String(standing):"",find(this.part,".thread").replaceChildren(...thread.map(one=>this.
row(one))),this.box.readOnly=!person||this.sending,this.box.placeholder=person?"Say something about this item. Ctrl+Ente\
r sends it.":"Give your name first: comments are stored under it.",find(this.part,".send",HTMLButtonElement).disabled=!person||
this.sending}row(one){let node=el("li",one.taken_back?"remark-row back-taken":"remark-row"),head=el("div","event-head"),
time=Object.assign(el("span","faint",day(one.at)),{title:one.at});if(head.append(foreign("span","gate",one.person),time),
one.taken_back)head.append(el("span","faint","taken back"));else if(one.person===this.data.person){let back=button("plai\
n take-back","Take back");back.onclick=()=>this.takeBack(one.id),head.append(back)}return node.append(head,foreign("p","\
remark-text",one.text)),node}async send(){let{item,data,key}=this;if(this.sending||!data.person)return;if(!this.isTyped)
return this.saved("The comment is empty: write a word, or leave it.",!0);this.sending=this.box.readOnly=!0,await this.keeper.
hold();let body={person:data.person,item:item.id,key,text:this.box.value,tab:TAB},answer=await persist("/bench/comment",
body,why=>this.saved(`not sent yet: ${why}, trying again`,!0));answer.status===200&&forget(body.person,`comment:${body.item}`),
this.item.id===body.item&&(this.sending=!1,answer.status===200?(this.keeper.done(),this.keeper.knows(""),hideOtherWords(
this),this.key=freshKey(),this.box.value="",this.desk.leaveBox(this.box),this.saved(`sent ${clock(Date.now())}`),this.draw(
answer.body.thread)):(this.keeper.release(),this.box.readOnly=!1,this.saved(answer.body.message??`Not sent: the server a\
nswered ${answer.status}.`,!0)))}async takeBack(id){let{item,data}=this,answer=await persist("/bench/comment/back",{person:data.
person,comment:id},why=>this.saved(`not taken back yet: ${why}, trying again`,!0));this.item.id===item.id&&(this.saved(answer.
status===200?"":answer.body.message??`Not taken back: the server answered ${answer.status}.`,answer.status!==200),answer.
status===200&&this.draw(answer.body.thread))}};var NAME="benchwright-desk-bar",tellBar=news=>window.dispatchEvent(new CustomEvent(NAME,{detail:news}));var MAX_PASSED=200,ItemSteps=class{constructor(sheet,navigation,place){this.sheet=sheet,this.navigation=navigation,this.
place=place}told={tab:"",item:"",n:0};around="";get isOn(){return!!this.sheet.data?.visit}get passed(){try{return JSON.parse(
sessionStorage.getItem(this.passedKey)??"[]")}catch{return[]}}set passed(items){try{sessionStorage.setItem(this.passedKey,
JSON.stringify(items.slice(-MAX_PASSED)))}catch{return}}get before(){return this.passed.findLast(item=>item!==this.sheet.
item.id)}get passedKey(){let{visit}=this.sheet.data;return["benchwright.desk.passed",visit?.tab,visit?.kind.sample].filter(
Boolean).join(":")}isPast(data){let{item,data:own}=this.sheet;if(this.around=data.around??"",!item||!own?.visit||!data.visit)
return!1;let isOfTab=own.visit.tab===data.visit.tab;return(isOfTab?data.visit.number<own.visit.number:this.isUntold(data))?
(this.address(item.id),isOfTab&&this.renewAround(),!0):!1}isUntold(data){let{item}=this.sheet;if(item.id===data.item.id)
return!1;let{told}=this,went=data.went??0;return(told.tab!==data.visit?.tab||went>=told.n&&told.item!==item.id)&&(this.told=
{tab:data.visit?.tab??"",item:item.id,n:this.navigation.tell("open",item.id)}),went<this.told.n}renewAround(){let{sheet}=this;
(sheet.data.around??"")!==this.around&&sheet.setTriggerValue("around",freshKey())}async go(to,about){let{sheet,navigation}=this,
{visit,person}=sheet.data;if(!visit)return;let way=to==="back"?"back":["open","undone","changed"].includes(to)?"open":"n\
ext",target=way==="open"?about:way==="back"?this.before??"":"",going=navigation.lock(to,about);way==="back"&&(this.passed=
this.passed.slice(0,Math.max(0,this.passed.lastIndexOf(target))));let{tab,number,kind}=visit,body={person,key:freshKey(),
tab,number,kind,item:sheet.item.id,to:way,target},trouble=why=>sheet.saved(`the item is not here yet: ${why}, trying aga\
in`,!0),answer=await persist(this.place.path,body,trouble);if(sheet.gone||navigation.going!==going)return;navigation.going=
null;let found=answer.status===200?answer.body.desk:null;if(found?.visit)return this.arrive(found,way!=="back");way!=="b\
ack"&&this.pass(),target?navigation.ask("open",target):navigation.ask(to,about)}get onward(){let{visit}=this.sheet.data;
if(!visit)return;let{tab,number,kind}=visit;return{key:freshKey(),tab,number,kind}}goOn(to,about,found){if(!this.sheet.gone){
if(this.sheet.item.id!==about)return this.sheet.buttons();if(found?.visit)return this.arrive(found);if(found===void 0)return this.
navigation.go(to,about);this.pass(),this.navigation.ask(to,about)}}pass(){let{passed}=this,here=this.sheet.item.id;passed.
at(-1)!==here&&(this.passed=[...passed,here])}arrive(found,isPassed=!0){let{sheet}=this,isOther=found.item.id!==sheet.item.
id;isOther&&isPassed&&this.pass(),sheet.draw(found),isOther&&this.address(found.item.id),found.bar&&tellBar({bar:found.bar,
visit:found.visit??null}),this.renewAround()}address(item){let url=new URL(location.href);url.searchParams.set(this.place.
name,item),history.replaceState(history.state,"",url)}};var SETTLE_MS=150,ECHO_MS=3e3,FLUSH_MS=1500,pressed=Date.now(),isAtWork=()=>document.querySelector('[data-testid="stApp"\
]')?.dataset.testScriptState==="running",Navigation=class{busy=!1;going=null;lastAnswered=0;shownAt=1/0;key="";constructor(sheet,place){
this.sheet=sheet,this.steps=new ItemSteps(sheet,this,place)}appeared(){let key=this.renewKey();this.shownAt=1/0;let start=()=>{
this.key===key&&(this.shownAt=performance.now(),this.sheet.buttons(),setTimeout(()=>this.sheet.buttons(),SETTLE_MS+10))},
begin=()=>requestAnimationFrame(()=>requestAnimationFrame(start));document.visibilityState==="visible"?begin():document.
addEventListener("visibilitychange",begin,{once:!0})}renewKey(){return this.key=freshKey(),this.key}get free(){return!this.
busy&&!this.going&&performance.now()-this.shownAt>=SETTLE_MS}lock(to,item){return pressed=Math.max(pressed+1,Date.now()),
this.going={to,item,n:pressed},this.sheet.buttons(),this.going}go(to,item){this.steps.isOn?this.steps.go(to,item):this.ask(
to,item)}ask(to,item){let{n}=this.lock(to,item);this.repeat({to,item,n},()=>this.going?.n!==n)}tell(to,item){pressed=Math.
max(pressed+1,Date.now());let n=pressed;return this.repeat({to,item,n},()=>this.lastAnswered>=n),n}repeat(went,isAnswered){
let tell=wait=>{this.sheet.setTriggerValue("went",went),setTimeout(again,wait,wait*2)},again=wait=>{isAnswered()||this.sheet.
gone||(isAtWork()?setTimeout(again,ECHO_MS,wait):tell(wait))};tell(ECHO_MS)}answered(n){this.lastAnswered=Math.max(this.
lastAnswered,n),this.going&&n>=this.going.n&&(this.going=null)}leads(to){return to!=="back"||!!this.sheet.data.has_back||
this.hasPassed}get hasPassed(){return this.steps.isOn&&this.steps.before!==void 0}receive(data){return this.answered(data.
went??0),!this.steps.isPast(data)}flushed(){return waitAtMost(this.sheet.keeper.flush(),FLUSH_MS)}async passOn(by){let{sheet}=this;
this.busy=!0,sheet.say(""),sheet.saved(""),sheet.buttons();let lost={by,hasWords:!!sheet.hasOwnWords};await this.flushed(),
this.busy=!1,sheet.lost=lost,this.go("taken",sheet.item.id)}async leave(to){let{sheet}=this;!this.free||!this.leads(to)||
(this.busy=!0,sheet.buttons(),await this.flushed(),this.busy=!1,this.go(to,sheet.item.id))}};var HUGE=5e4,Decisions=class extends Navigation{asked="";constructor(desk){super(desk,{path:"/bench/next",name:"item"}),
this.desk=desk,this.spent="",this.theirs=null}get subject(){let{item}=this.desk;return`${item.id}:${item.revision}`}get mayDecide(){
let{desk}=this,others=this.theirs||desk.holding.other||desk.feedback.isOpen;return this.free&&desk.opinions.mayDecide&&!others&&
!!desk.data.person&&this.spent!==this.subject}async decide(decision,{reason="",comment=""}={}){let{desk}=this;if(decision===
"accept"&&desk.data.blind)return desk.blind.reveal();if(this.free&&desk.holding.isLost)return this.passOn(desk.holding.other?.
by??"");if(!this.mayDecide)return;let subject=this.subject,words=desk.words;if(decision==="accept"&&!this.acceptable(words))
return;this.busy=!0,desk.say(""),desk.buttons(),await Promise.all([desk.keeper.hold(),desk.opinions.hold()]);let stored=desk.
item,body=desk.opinions.withReason({key:this.key,person:desk.data.person,item:stored.id,revision:desk.base,status:desk.seen,
decision,reason,comment,question:words.question,answer:words.answer,evidence:desk.evidence,claims:desk.claims.decided,labels:desk.
labels.values,label_answers:desk.questions.values,seconds:desk.time.seconds,guideline:desk.card.guideline.version,tab:TAB,
onward:this.steps.onward});desk.saved("storing the decision");let answer=await persist(desk.opinions.address,body,why=>desk.
saved(`not stored yet: ${why}, trying again`,!0));if(this.busy=!1,answer.status===200&&answer.body.ok){this.spent=subject,
this.renewKey(),forget(body.person,body.item),desk.holding.forget(),desk.paper.places.done(),desk.keeper.done(),desk.opinions.
done(body);let left=decision==="accept"?desk.claims.left:"";if(desk.receipt=[`${decision}ed`,answer.body.told,left,desk.
comments.isTyped&&"a comment is not sent",clock(Date.now())].filter(Boolean).join(", "),desk.saved(desk.receipt),desk.discard.
close(),answer.body.feedback){desk.feedback.show(answer.body.feedback),this.appeared(),desk.buttons();return}this.steps.
goOn("decided",body.item,answer.body.desk);return}if(this.renewKey(),desk.keeper.release(),desk.opinions.release(),desk.
saved(""),answer.status===409&&answer.body.taken_by)return this.passOn(answer.body.taken_by);answer.status===409&&answer.
body.theirs?this.conflict(answer.body.theirs,answer.body.message,{decision,reason,comment}):desk.say(answer.body.message??
`The decision was not stored: the server answered ${answer.status}.`),desk.buttons()}acceptable({question,answer}){let{desk}=this,
frame=desk.item.is_frame&&answer.trim()===(desk.item.answers[0]??"").trim();if(!question.trim())desk.say("There is no qu\
estion: write one, or discard the item.");else if(frame)desk.say("This is a frame to fill: write the answer in your own \
words (w), then accept.");else if(!answer.trim())desk.say("There is no answer: write one, or discard the item.");else if(desk.
data.alone&&!desk.evidence.length)desk.say("There is no evidence yet: select the passage that proves your answer and pre\
ss e, or type its sentence numbers (s).");else if(desk.questions.missing>=0){let open=desk.questions.missing;desk.questions.
focus(open),desk.say(`This question is required, answer it first: ${desk.questions.rows[open].text}`)}else if(this.isHuge(
answer))desk.say(`The answer has ${answer.length.toLocaleString("en")} characters: more than a pasted page. Accept again\
 to store it all the same.`);else return!0;return!1}isHuge(answer){return answer.length<HUGE||answer===(this.desk.item.answers[0]??
"")||answer===this.asked?!1:(this.asked=answer,!0)}conflict(other,message,again=null){let theirs=other,{desk}=this;this.
theirs=theirs;let place=find(desk.root,".conflict"),text=(name,mine2,other2)=>{let row2=el("div","versus"),[left,right]=[
el("div"),el("div")];return left.append(el("span","label",`Your ${name}`),markedText("mine",other2,mine2)),right.append(
el("span","label",`${theirs.isScratch?"The other tab's":"Their"} ${name}`),markedText("theirs",mine2,other2)),row2.append(
left,right),row2},spans=theirs.evidence??[],same=JSON.stringify(spans)===JSON.stringify(desk.evidence),mine=button("butt\
on keep-mine",again?`Keep mine and ${again.decision}`:"Keep mine"),take=button("button take-theirs",theirs.isScratch?"Ta\
ke the other":"Take theirs");mine.onclick=()=>{theirs.isScratch?desk.keeper.knows(theirs.saved_at):desk.base=theirs.revision,
desk.seen=theirs.status??desk.seen,this.spent="",this.hideConflict(),desk.touched(),again&&this.decide(again.decision,again)},
take.onclick=()=>{if(this.hideConflict(),!theirs.isScratch)return desk.take(theirs);desk.keeper.knows(theirs.saved_at),desk.
boxes.takeTyped(theirs)};let row=el("div","row");row.append(mine,take),place.replaceChildren(el("p","",message||`${theirs.
by||"Someone"} changed this item since you opened it: it is at revision ${theirs.revision} now. Nothing of yours is lost\
.`),text("question",desk.words.question,theirs.question),text("answer",desk.words.answer,theirs.answers?.[0]??""),...same?
[]:[el("p","faint",`The evidence differs, too: ${desk.evidence.length} of yours, ${spans.length} of theirs.`)],...desk.labels.
differences({labels:desk.labels.values??{}},theirs).map(([title,,value])=>el("p","faint",`${title}: theirs is ${value}.`)),
...(theirs.isScratch?desk.questions.differences(desk.questions.values,theirs.label_answers):[]).map(([title,mine2,other2])=>el(
"p","faint",`${title} Yours: ${mine2}. The other tab's: ${other2}.`)),row),place.hidden=!1,scrollToMarked(place),desk.fit.
bring(place),desk.buttons()}hideConflict(){this.theirs=null,find(this.desk.root,".conflict").hidden=!0,this.desk.buttons()}async undo(){
let{desk}=this;if(!this.free||!desk.data.position?.undo||!desk.data.person)return;this.busy=!0,desk.say(""),desk.buttons(),
await desk.keeper.hold();let body={person:desk.data.person,key:freshKey(),item:desk.data.position.undo.item};desk.saved(
"taking the decision back");let answer=await persist("/bench/undo",body,why=>desk.saved(`not taken back yet: ${why}, try\
ing again`,!0));this.busy=!1,desk.keeper.release(),desk.saved(""),answer.status===200&&answer.body.ok?(this.spent="",this.
go("undone",answer.body.item)):desk.say(answer.body.message??`The decision was not taken back: the server answered ${answer.
status}.`),desk.buttons()}async skip(reason){let{desk}=this;if(!this.mayDecide)return;this.busy=!0,desk.say(""),desk.buttons(),
desk.keepVisit(),await this.flushed();let{item,data}=desk,{onward}=this.steps,body={key:this.key,person:data.person,item:item.
id,revision:item.revision,reason,onward};desk.saved("storing the reason");let answer=await persist("/bench/skip",body,why=>desk.
saved(`not stored yet: ${why}, trying again`,!0));this.busy=!1,desk.saved(""),answer.status===200&&answer.body.ok?(desk.
receipt=`skipped ${clock(Date.now())}`,desk.discard.close(),this.steps.goOn("next",body.item,answer.body.desk)):desk.say(
answer.body.message??`The skip was not stored: the server answered ${answer.status}.`),desk.buttons()}async passOn(by){this.
desk.discard.close(),this.desk.keepVisit(),await super.passOn(by)}leads(to){let{data}=this.desk;return to==="next"?data.
show_next!==!1:!!data.position?.has_back||this.hasPassed}async leave(to){if(to==="next"&&this.desk.feedback.isOpen)return this.
desk.feedback.next();this.free&&this.leads(to)&&this.desk.keepVisit(),await super.leave(to)}};var LEAFING=90,WIDTHS=[1e3,2e3],INNER=.25,pagings=new Map,pagesOf=id=>{let held=pagings.get(id);if(held)return held;let asked=getJson(
`/bench/pages/${encodeURIComponent(id)}`).then(found=>found.pages);return asked.catch(()=>pagings.delete(id)),pagings.set(
id,asked),asked},PageView=class{id=null;pages=null;page=null;drawn=null;spans=[];current=0;point=null;blob=null;asked=null;asking=null;boxing=null;spanOf=new WeakMap;whole=!1;soon=0;constructor(place){
this.place=place;let small=(name,words,title)=>{let made=Object.assign(button(`small ${name}`,words),{title});return made.
setAttribute("aria-label",title),made};this.before=small("page-before","‹","Page before (←)"),this.after=small("page\
-after","›","Next page (→)"),this.zoomer=small("page-zoom","","Whole page or its width (z)"),this.box=el("input","pa\
ge-number"),Object.assign(this.box,{inputMode:"numeric",autocomplete:"off"}),this.box.setAttribute("aria-label","Page"),
this.count=el("span","faint"),this.note=el("span","faint page-note"),this.note.setAttribute("role","status");let bar=el(
"div","pages-bar");bar.append(this.before,el("span","faint","Page"),this.box,this.count,this.after,this.note,el("span","\
grow"),this.zoomer),this.frame=el("div","pages-frame"),this.frame.tabIndex=0,this.leaf=el("div","leaf"),this.frame.append(
this.leaf),place.replaceChildren(bar,this.frame),this.before.onclick=()=>this.step(-1),this.after.onclick=()=>this.step(
1),this.zoomer.onclick=()=>this.zoom(),this.box.onchange=()=>{let wanted=Number(this.box.value);Number.isInteger(wanted)&&
wanted>=1&&wanted<=(this.pages?.length??0)?this.turn(wanted):this.box.value=String(this.page??""),this.box.blur()},this.
zoomed()}stop(){clearTimeout(this.soon),this.asked?.abort(),this.blob&&URL.revokeObjectURL(this.blob),this.blob=null}async open(id,point){
this.id!==id&&(this.stop(),this.id=id,this.pages=this.page=this.drawn=null,this.leaf.replaceChildren(el("p","faint empty",
"Opening the pages")),this.note.textContent="");try{let pages=await pagesOf(id);if(this.id!==id)return;this.pages=pages,
this.count.textContent=`of ${pages.length.toLocaleString("en")}`,point!==void 0?this.reveal(point):this.page||this.turn(
1)}catch(error){this.id===id&&this.sorry(error)}}reveal(point){this.pages&&(this.point=point,this.turn(Math.max(1,lastUpTo(
this.pages,point,page=>page[0])+1)))}step(by){let wanted=(this.page??1)+by;this.pages&&wanted>=1&&wanted<=this.pages.length&&
this.turn(wanted)}turn(page){let same=page===this.page;if(this.page=page,this.box.value=String(page),this.before.disabled=
page<=1,this.after.disabled=page>=(this.pages?.length??0),same&&this.drawn===this.name)return this.boxes();clearTimeout(
this.soon),this.soon=setTimeout(()=>this.fetch(),this.drawn?LEAFING:0)}get name(){return`${this.id}/${this.page}/${this.
width}`}get width(){return WIDTHS.find(width=>width>=this.frame.clientWidth*window.devicePixelRatio)??WIDTHS.at(-1)}async fetch(){
let{name,page,id}=this;this.asked?.abort(),this.asked=new AbortController,this.leaf.classList.add("waits"),this.note.textContent=
"";try{let answer=await get(`/bench/page/${page}/${encodeURIComponent(id??"")}?width=${this.width}`,this.asked.signal),blob=URL.
createObjectURL(await answer.blob()),image=el("img");if(image.alt=`Page ${page} as it looks`,image.src=blob,await image.
decode(),this.name!==name)return URL.revokeObjectURL(blob);this.blob&&URL.revokeObjectURL(this.blob),this.blob=blob,this.
drawn=name,this.leaf.classList.remove("waits"),this.leaf.replaceChildren(image),this.frame.scrollTop=0,await this.boxes()}catch(error){
!(error instanceof DOMException&&error.name==="AbortError")&&this.name===name&&this.sorry(error)}}sorry(error){this.drawn=
null,this.leaf.classList.remove("waits"),this.leaf.replaceChildren(el("p","faint empty",error instanceof TypeError?"The \
page could not be loaded: no connection.":reasonOf(error)))}marks(spans,current){this.spans=spans,this.current=current,this.
drawn&&this.drawn===this.name&&this.boxes()}async boxes(){let{name,page,id}=this;if(!this.pages||!page||!id)return;let[start,
end]=this.pages[page-1],here=this.spans.filter(span=>span.start<end&&span.end>start),found={spans:[],more:!1},places=here.
map(span=>`${span.start}-${span.end}`).join(","),boxing={};this.boxing=boxing;try{if(here.length&&(found=await this.placed(
`/bench/boxes/${page}/${encodeURIComponent(id)}?spans=${places}`)),this.boxing!==boxing)return;this.note.textContent=found.
more?"Not all boxes are drawn: there are too many.":""}catch(error){this.note.textContent=error instanceof TypeError?"Th\
e boxes could not be loaded: no connection.":reasonOf(error)}if(this.boxing!==boxing||this.drawn!==name||this.name!==name)
return;for(let node of findAll(this.leaf,".span-box, .span-number"))node.remove();this.leaf.append(...here.flatMap((span,n)=>(found.
spans[n]??[]).map(box=>this.drawBox(span,box))));let firsts=here.flatMap((span,n)=>{let box=found.spans[n]?.[0];return box&&
!span.kind?[{span,box,start:found.starts?.[n]}]:[]});this.leaf.append(...this.numbers(firsts)),this.point!==null&&this.toPoint(),
this.point=null}placed(address){this.asking?.address!==address&&(this.asking={address,found:getJson(address)});let{found}=this.
asking;return found.catch(()=>{this.asking=null}),found}numbers(firsts){let places=[];return firsts.map(({span,box:[left,
top],start})=>{let column=Math.min(start??left,left),edge=column>INNER?1:column,near=places.filter(other=>Math.abs(other.
edge-edge)<.1&&Math.abs(other.top-top)<.02),beside=0;for(;near.some(other=>other.beside===beside);)beside++;places.push(
{edge,top,beside});let node=el("div",span.n===this.current?"span-number current":"span-number",String((span.n??0)+1)),across=edge===
1?`right:${.2+1.3*beside}rem`:`left:max(0.2rem, calc(${column*100}% - ${1.5+1.3*beside}rem))`;return node.style.cssText=
`top:${top*100}%;${across}`,node})}drawBox(span,[left,top,right,bottom]){let kind=span.kind?span.kind:span.n===this.current?
"current":"",node=el("div",`span-box ${kind}`);return this.spanOf.set(node,span),node.style.cssText=`left:${left*100}%;t\
op:${top*100}%;width:${(right-left)*100}%;height:${(bottom-top)*100}%`,span.kind||(node.dataset.evidence=String(span.n)),
node}toPoint(){let all=[...this.leaf.querySelectorAll(".span-box")],node=all.find(one=>this.spanOf.get(one)?.start===this.
point)??all.find(one=>this.spanOf.get(one)?.n===this.current)??all[0];if(!node)return;let[box,frame]=[node.getBoundingClientRect(),
this.frame.getBoundingClientRect()];(box.top<frame.top+8||box.bottom>frame.bottom-8)&&(this.frame.scrollTop+=box.top-frame.
top-frame.height*.3)}zoom(){this.whole=!this.whole,this.zoomed(),this.toPoint()}zoomed(){this.frame.classList.toggle("wh\
ole",!!this.whole),this.zoomer.replaceChildren(this.whole?"Fit width ":"Whole page ",el("kbd","","z"))}key(key){let step={
ArrowRight:1,ArrowLeft:-1}[key];if(step)this.step(step);else if(key==="z")this.zoom();else return!1;return!0}};var MOST_HITS=1e4,SEARCH_AFTER=150,FindBar=class{hits=[];more=!1;asked="";at=0;timer=0;constructor(paper){this.paper=paper,
this.bar=find(paper.root,".find-bar"),this.box=find(this.bar,".find-words",HTMLInputElement),this.box.oninput=()=>{clearTimeout(
this.timer),this.timer=setTimeout(()=>this.search(),SEARCH_AFTER)},find(paper.root,".find-open").onclick=()=>this.open(),
find(this.bar,".find-earlier").onclick=()=>this.step(-1),find(this.bar,".find-later").onclick=()=>this.step(1),find(this.
bar,".find-close").onclick=()=>this.close()}get isOpen(){return!this.bar.hidden}open(){this.paper.onPages&&this.paper.turnView(),
this.bar.hidden=!1,this.paper.host.enter("find-words"),this.box.select(),this.box.value&&this.search()}close(){clearTimeout(
this.timer),this.bar.hidden=!0,this.paper.host.leave(this.box),this.asked="",this.hits=[],this.paper.sections.again()}moved(){
this.asked="",this.hits=[],this.isOpen&&this.box.value&&this.search()}search(){clearTimeout(this.timer);let{found,sections}=this.
paper,words=this.box.value.trim();if(!found||words===this.asked)return;if(this.asked=words,this.hits=[],this.more=!1,words){
let pattern=new RegExp(words.split(/\s+/).map(word=>word.replace(/[.*+?^${}()|[\]\\]/g,"\\$&")).join("\\s+"),"giu");for(let hit of found.
text.matchAll(pattern)){if(this.more=this.hits.length===MOST_HITS,this.more)break;this.hits.push([hit.index,hit.index+hit[0].
length])}}let from=sections.top?unitAt(found,sections.top.point):0,first=this.hits.findIndex(([start])=>start>=from);this.
at=Math.max(0,first),this.show()}step(by){if(clearTimeout(this.timer),this.box.value.trim()!==this.asked)return this.search();
this.hits.length&&(this.at=(this.at+by+this.hits.length)%this.hits.length,this.show())}show(){let many=this.hits.length,
count=`${(this.at+1).toLocaleString("en")} of ${this.more?"more than ":""}${many.toLocaleString("en")}`;find(this.bar,".\
find-count").textContent=many?count:this.asked?"not found":"";let{sections,found}=this.paper;if(sections.again(),!many||
!found)return;let n=Math.max(0,lastUpTo(found.blocks,this.hits[this.at][0],block=>block.u));sections.reveal(n,block=>findAll(
block,".hit-now")[0],!0)}within(from,to){let marks=[];for(let n=Math.max(0,lastUpTo(this.hits,from,hit=>hit[1]));n<this.
hits.length&&this.hits[n][0]<to;n++){let[start,end]=this.hits[n];end>from&&marks.push({kind:"hit",isNow:n===this.at,from:Math.
max(start,from)-from,to:Math.min(end,to)-from})}return marks}};var placeKey=(person,item,document2)=>`${PREFIX}.place:${person}:${item}:${document2}`,openKey=(person,item)=>`${PREFIX}\
.open:${person}:${item}:`,REST=250,ReadingPlaces=class{constructor(paper){this.paper=paper,this.item=null,this.timer=0,this.
heard=()=>{clearTimeout(this.timer),this.timer=setTimeout(()=>this.keep(),REST)},paper.scroller.addEventListener("scroll",
this.heard,{passive:!0})}stop(){this.keep(),clearTimeout(this.timer),this.paper.scroller.removeEventListener("scroll",this.
heard)}get left(){return memory.get(openKey(this.paper.host.person(),this.item??""))?.document??null}keep(){clearTimeout(
this.timer);let{found,sections,host}=this.paper;if(!found||!this.item||!this.paper.scroller.clientHeight)return;let at=Date.
now();memory.set(placeKey(host.person(),this.item,found.id),{...sections.top,at}),memory.set(openKey(host.person(),this.
item),{document:found.id,at})}done(){this.item=null}back(document2){let place=memory.get(placeKey(this.paper.host.person(),
this.item??"",document2)),isKept=place&&Number.isFinite(place.point)&&Number.isFinite(place.above);return isKept&&this.paper.
sections.goTo(place),!!isKept}};var WHOLE=3e5,NEAR="1500px 0px",whenIdle=window.requestIdleCallback?.bind(window)??(act=>setTimeout(()=>act({timeRemaining:()=>8,
didTimeout:!1}),30)),noIdle=window.cancelIdleCallback?.bind(window)??clearTimeout,DocumentSections=class{found;list=[];sectionOf=new WeakMap;blockOf=new WeakMap;isLong=!1;idle=0;constructor(paper){
this.paper=paper,this.watch=new IntersectionObserver(seen=>this.turned(seen),{root:paper.scroller,rootMargin:NEAR})}stop(){
this.watch.disconnect(),noIdle(this.idle)}draw(found){this.stop(),this.found=found,this.isLong=found.length>WHOLE;let perLine=Math.
max(20,this.paper.scroller.clientWidth/(found.language==="zh"?15.5:7.4));this.list=found.sections.map(section=>{let node=el(
"div","section"),drawn={...section,node,filled:!1};this.sectionOf.set(node,drawn);let lines=0;for(let n=section.first;n<=
section.last;n++){let{u,e}=found.blocks[n];lines+=e>u?Math.ceil((e-u)/perLine)+.45:.5}return this.hold(drawn,Math.round(
lines*24)),drawn}),this.paper.sheet.lang=found.language,this.paper.sheet.replaceChildren(...this.list.map(section=>section.
node));for(let section of this.list)this.watch.observe(section.node);if(this.isLong)return;let rest=[...this.list],later=deadline=>{
for(;rest.length&&(deadline.timeRemaining()>4||deadline.didTimeout)&&(this.fill(rest.shift()),!deadline.didTimeout););rest.
length&&(this.idle=whenIdle(later))};this.idle=whenIdle(later)}turned(seen){let stays=this.isLong&&this.paper.selecting.
span();for(let{isIntersecting,target,boundingClientRect}of seen){let section=this.sectionOf.get(target);section&&(isIntersecting?
this.fill(section):this.isLong&&section.filled&&!stays&&(section.filled=!1,this.hold(section,boundingClientRect.height),
target.replaceChildren()))}}hold({node},height){node.style.containIntrinsicSize=`auto ${height}px`,node.style.minHeight=
`${height}px`}fill(section){if(section.filled)return;section.filled=!0,section.node.style.minHeight="";let blocks=[];for(let n=section.
first;n<=section.last;n++)blocks.push(this.block(n));section.node.replaceChildren(...blocks)}again(asked=()=>!0){for(let section of this.
list){let last=this.found.blocks[section.last];!asked(section,this.found.blocks[section.first].p,last.p+last.n)||!section.
filled||(section.filled=!1,this.fill(section))}}block(n){let{u,e,p,n:size}=this.found.blocks[n],node=el("div",u===e?"blo\
ck gap":"block foreign");if(node.dir="auto",this.blockOf.set(node,n),u===e)return node;let text=this.found.text.slice(u,
e),inside=point=>this.found.astral?units(text,point-p):point-p,starts=new Map,sentences=this.found.sentences;for(let s=Math.
max(0,lastUpTo(sentences,p-1,x=>x[0])+1);s<sentences.length&&sentences[s][0]<p+size;s++)starts.set(inside(sentences[s][0]),
s+1);let marks=[...this.paper.spans.filter(span=>span.start<p+size&&span.end>p).map(span=>({...span,from:inside(Math.max(
p,span.start)),to:inside(Math.min(p+size,span.end)),isStart:span.start>=p})),...this.paper.finding.within(u,e)],cuts=[...new Set(
[0,text.length,...starts.keys(),...marks.flatMap(mark=>[mark.from,mark.to])])].sort((a,b)=>a-b);return cuts.slice(0,-1).
forEach((from,index)=>{if(starts.has(from)){let number=el("i",index?"number inner":"number");number.dataset.n=String(starts.
get(from)),node.append(number)}let over=marks.filter(span=>span.from<=from&&span.to>from),words=text.slice(from,cuts[index+
1]);over.length?node.append(write(this.mark(over,from),words)):write(node,words)}),node}mark(over,from){let kinds=new Set(
over.flatMap(span=>span.kind?[span.kind,...span.isNow?[`${span.kind}-now`]:[]]:[])),made=el("mark",[...kinds].join(" ")),
evidence=over.find(span=>!span.kind);return evidence&&(made.dataset.evidence=String(evidence.n),evidence.isStart&&evidence.
from===from&&(made.dataset.n=String((evidence.n??0)+1)),made.classList.toggle("current",evidence.n===this.paper.current)),
made}reveal(n,pick,onlyIfHidden){this.settle(n,block=>{let box=pick(block)?.getClientRects()[0]??block.getBoundingClientRect(),
frame=this.paper.scroller.getBoundingClientRect(),offset=box.top-frame.top;return onlyIfHidden&&offset>8&&box.bottom<frame.
bottom-8?0:(onlyIfHidden=!1,offset-frame.height*.3)})}get top(){let edge=this.paper.scroller.getBoundingClientRect().top,
section=this.list[Math.max(0,lastUpTo(this.list,edge,one=>one.node.getBoundingClientRect().top))];if(!section)return null;
let node=[...section.node.children].find(block=>block.getBoundingClientRect().bottom>edge),{p}=this.found.blocks[(node&&
this.blockOf.get(node))??section.first];return{point:p,above:Math.round(edge-(node??section.node).getBoundingClientRect().
top)}}goTo({point,above}){let edge=this.paper.scroller.getBoundingClientRect().top;this.settle(this.blockAt(point),block=>block.
getBoundingClientRect().top+above-edge)}blockAt(point){return Math.max(0,lastUpTo(this.found.blocks,point,block=>block.p))}settle(n,missing){
let{scroller,id}=this.paper,section=this.list[lastUpTo(this.list,n,one=>one.first)],tries=6,go=()=>{if(this.paper.id!==id||
!section.node.isConnected)return;this.fill(section);let before=scroller.scrollTop;scroller.scrollTop+=missing(section.node.
children[n-section.first]),--tries&&Math.abs(scroller.scrollTop-before)>1&&requestAnimationFrame(go)};go()}pointOf(node,offset){
let start=node instanceof Element?node:node.parentElement,block=start?.closest(".block"),{blocks,text,astral}=this.found;
if(block){let range=document.createRange();range.setStart(block,0),range.setEnd(node,offset);let{u,p}=blocks[this.blockOf.
get(block)??0],inside=range.toString().length;return astral?p+points(text.slice(u,u+inside)):p+inside}if(!start||!this.paper.
sheet.contains(start))return null;let child=start.childNodes[offset],next=child&&(this.blockOf.get(child)??this.sectionOf.
get(child)?.first);if(next!==void 0)return blocks[next].p;let last=blocks[this.sectionOf.get(start)?.last??blocks.length-
1];return last.p+last.n}};var SelectionBar=class{constructor(paper){this.paper=paper,this.bar=find(paper.root,".bar"),this.replaceButton=find(paper.
root,".bar-replace"),this.replaceButton.onclick=()=>this.replace(),find(paper.root,".bar-add").onclick=()=>this.add(),this.
bar.onmousedown=event=>event.preventDefault(),paper.scroller.onscroll=()=>{this.bar.hidden||this.place()},this.heard=()=>this.
place(),document.addEventListener("selectionchange",this.heard)}stop(){document.removeEventListener("selectionchange",this.
heard)}get shadow(){return this.paper.root.getRootNode()}get live(){let selection=this.shadow.getSelection?.();return selection?.
rangeCount?selection.getRangeAt(0):null}span(){if(!this.paper.found)return null;let range=[document.getSelection()?.getComposedRanges?.(
{shadowRoots:[this.shadow]})[0],this.live].find(one2=>one2&&this.paper.sheet.contains(one2.startContainer)&&this.paper.sheet.
contains(one2.endContainer));if(!range)return null;let ends=[this.paper.sections.pointOf(range.startContainer,range.startOffset),
this.paper.sections.pointOf(range.endContainer,range.endOffset)],[one,other]=ends;if(one===null||other===null)return null;
let[from,to]=[Math.min(one,other),Math.max(one,other)],text=textOf(this.paper.found,{start:from,end:to}),start=from+points(
text.match(/^\s*/)?.[0]??""),end=to-points(text.match(/\s*$/)?.[0]??"");return end>start?{document:this.paper.found.id,start,
end}:null}clear(){document.getSelection()?.removeAllRanges(),this.shadow.getSelection?.()?.removeAllRanges(),this.bar.hidden=
!0}add(){let span=this.span();return span?(this.clear(),this.paper.host.add([span]),!0):!1}replace(){let span=this.span();
span&&(this.clear(),this.paper.host.replace(this.paper.current,span))}place(){let span=this.paper.host.mayEdit()?this.span():
null;if(this.bar.hidden=!span,!span)return;let count=this.paper.host.evidence().length,{replaceButton:replace}=this;replace.
hidden=!count,replace.textContent=`Replace evidence ${this.paper.current+1}`;let box=this.live?.getBoundingClientRect(),
pane=this.paper.pane.getBoundingClientRect(),frame=this.paper.scroller.getBoundingClientRect();if(!box?.height)return;let wanted=box.
top-this.bar.offsetHeight-6,top=wanted<frame.top?Math.min(box.bottom+6,frame.bottom-this.bar.offsetHeight-8):wanted;this.
bar.style.top=`${top-pane.top}px`,this.bar.style.left=`${Math.max(8,Math.min(box.left-pane.left,pane.width-this.bar.offsetWidth-
8))}px`}};var DocumentPane=class{documents=[];id=null;found=null;leftAt=-1;constructor(root,host){this.host=host,this.root=root,this.
scroller=find(root,".scroller"),this.sheet=find(root,".sheet"),this.pane=find(root,".paper"),this.current=0,this.look=[],
this.sections=new DocumentSections(this),this.finding=new FindBar(this),this.places=new ReadingPlaces(this),find(root,".\
earlier").onclick=()=>this.jump(-1),find(root,".later").onclick=()=>this.jump(1),this.selecting=new SelectionBar(this),this.
pages=new PageView(find(root,".pages")),find(root,".view").onclick=()=>this.turnView();let list=find(root,".docs-list",HTMLSelectElement);
list.onchange=()=>this.show(list.value)}stop(){this.selecting.stop(),this.pages.stop(),this.sections.stop(),this.places.
stop()}open(documents){this.places.keep(),this.documents=documents,this.current=0,this.look=[],this.places.item=this.host.
item(),this.drawSwitch();let left=documents.find(one=>one.id===this.places.left),first=this.host.evidence()[0],target=left?.
id??first?.document??documents[0]?.id;if(!target)return this.blank("This item belongs to no document. If its answer was \
computed from tables, the function calls are beside it.");target===this.id&&this.found&&left&&this.places.back(target),this.
show(target).then(shown=>{shown&&first&&!left&&this.jumpTo(0,{onlyIfHidden:!0})})}blank(words){this.found=this.id=null,this.
drawView(),find(this.root,".title").textContent="",find(this.root,".size").textContent="",this.sheet.replaceChildren(el(
"p","faint empty",words))}async show(id){if(this.id===id&&this.found)return this.marks(),!0;this.places.keep(),this.id=id,
this.found=null,this.drawSwitch(),this.drawView(),this.sheet.replaceChildren(el("p","faint empty","Opening the document"));
try{let found=await documentOf(id);return this.id!==id?!1:(this.draw(found),!0)}catch(error){if(this.id!==id)return!1;let retry=el(
"button","button","Try again");retry.onclick=()=>{this.id=null,this.show(id).then(shown=>{shown&&this.host.evidence().length&&
this.jumpTo(0)})};let sorry=el("div","empty");return sorry.append(el("p","",`The document could not be opened. ${error instanceof
TypeError?"No connection.":reasonOf(error)}`),retry),this.id=null,this.sheet.replaceChildren(sorry),!1}}draw(found){this.
found=found;let title=find(this.root,".title");title.replaceChildren(...foreign("span","",found.title||"Untitled").childNodes),
title.dir="auto",title.title=found.title,find(this.root,".size").textContent=`${found.length.toLocaleString("en")} chara\
cters`,this.sections.draw(found),this.finding.moved(),this.places.back(found.id)||(this.scroller.scrollTop=0),this.drawView(),
this.marks(),found.numbered.then(()=>{this.found===found&&this.sections.again()})}get onPages(){return!this.pages.place.
hidden}drawView(){let has=!!(this.found&&this.documents.find(one2=>one2.id===this.id)?.has_pages),on=has&&preferences.get(
"pages",!1),button2=find(this.root,".view");if(button2.hidden=!has,button2.replaceChildren(on?"Text ":"Pages ",el("kbd",
"","p")),button2.title=on?"The text, to select evidence in ( p )":"The pages as they look ( p )",this.scroller.hidden=on,
this.pages.place.hidden=!on,!on||!this.id)return;this.selecting.bar.hidden=!0;let one=this.spans.find(span=>span.n===this.
current)??this.spans[0];this.pages.marks(this.spans,this.current),this.pages.open(this.id,this.pages.id===this.id&&this.
leftAt===this.current?void 0:one?.start)}turnView(){if(!this.found||find(this.root,".view").hidden)return;let was=this.onPages;
preferences.set("pages",!was),this.leftAt=this.current,this.drawView();let[start,end]=this.pages.pages?.[(this.pages.page??
0)-1]??[];if(!was||start===void 0||end===void 0)return;let one=this.spans.find(span=>span.n===this.current&&span.start>=
start&&span.start<end);this.reveal(one?.start??start,!0)}get spans(){return[...this.host.evidence().map((span,n)=>({...span,
n})),...this.look].filter(span=>span.document===this.id)}marks(){let all=this.host.evidence();if(this.current=Math.min(this.
current,Math.max(0,all.length-1)),find(this.root,".jump").hidden=!all.length,find(this.root,".where").textContent=all.length?
`Evidence ${this.current+1} of ${all.length}`:"",!this.found)return;let{spans}=this;this.sections.again((section,from,to)=>{
let had=section.marked;return section.marked=spans.some(span=>span.start<to&&span.end>from),had||section.marked}),this.onPages?
this.pages.marks(spans,this.current):this.selecting.place(),this.host.moved()}jump(step){let count=this.host.evidence().
length;count&&this.jumpTo((this.current+step+count)%count)}async jumpTo(n,{onlyIfHidden=!1}={}){let span=this.host.evidence()[n];
span&&(this.current=n,await this.show(span.document)&&(this.marks(),this.reveal(span.start,onlyIfHidden)))}async lookAt(spans,n=0){
this.look=spans.map((span,other)=>({kind:"look",...span,isNow:other===n})),!(!spans[n]||!await this.show(spans[n].document))&&
(this.marks(),this.reveal(spans[n].start,!0))}reveal(point,onlyIfHidden){if(this.onPages)return this.pages.reveal(point);
let at=block=>findAll(block,"mark").find(mark=>(this.sections.pointOf(mark,0)??-1)>=point);this.sections.reveal(this.sections.
blockAt(point),at,onlyIfHidden)}drawSwitch(){let tabs=find(this.root,".docs"),list=find(this.root,".docs-list"),many=this.
documents.length;tabs.hidden=many<2||many>3,list.hidden=many<4;let withEvidence=new Set(this.host.evidence().map(span=>span.
document)),words=(one,n)=>`${n+1}. ${one.title||"Untitled"}`;tabs.hidden||tabs.replaceChildren(...this.documents.map((one,n)=>{
let tab=foreign("button",withEvidence.has(one.id)?"tab marked":"tab",words(one,n));return tab.type="button",tab.title=one.
title,tab.setAttribute("role","tab"),tab.setAttribute("aria-selected",String(one.id===this.id)),tab.onclick=()=>this.show(
one.id),tab})),list.hidden||list.replaceChildren(...this.documents.map((one,n)=>{let option=el("option","",words(one,n)+
(withEvidence.has(one.id)?" (evidence)":""));return option.value=one.id,option.selected=one.id===this.id,option}))}};var SIGN=6e4,MINE="benchwright.desk.mine",Hold=class{constructor(desk){this.desk=desk,this.other=null,this.isLost=!1,this.
timer=setInterval(()=>this.sign(),SIGN),this.turned=()=>this.sign(),document.addEventListener("visibilitychange",this.turned)}stop(){
clearInterval(this.timer),document.removeEventListener("visibilitychange",this.turned)}async sign(){let{desk}=this,{data,
item,time}=desk;if(!data?.person||!item||!time.isActive)return;let answer=await this.send("/bench/hold");answer?.status===
200&&(this.hear(answer.body.held,item.id),this.isLost&&item.id===desk.item.id&&!desk.changed&&desk.deciding.free&&await desk.
deciding.passOn(answer.body.held.by))}open(held,item){this.other=null,this.hear(held,item),this.isLost=!1,this.draw()}async resume(item){
let{desk,other}=this,{person,visit,decision}=desk.data,mine=`${person}:${item}`,wasMine=tabMemory.get(MINE)===mine,isDecided=[
"accepted","discarded"].includes(desk.item.status);isDecided?this.forget():other||tabMemory.set(MINE,mine),!(!wasMine||!visit||
desk.changed)&&(other?.until?await desk.deciding.passOn(other.by):isDecided&&!decision&&desk.deciding.ask("taken",item))}forget(){
tabMemory.drop(MINE)}hear(held,item){item!==this.desk.data?.item.id||(held??null)?.until===this.other?.until&&held?.by===
this.other?.by||(this.isLost=!!held&&(this.isLost||!this.other),this.other=held??null,this.draw(),this.desk.buttons())}draw(){
let place=this.desk.find("held");if(place.hidden=!this.other,!this.other)return;let words=el("span"),until=this.other.until;
words.append(until?"Held by ":"Given to ",foreign("b","",this.other.by),until?` until ${clock(until,!1)}. `:". ",this.desk.
changed?"What you typed is kept.":"");let{person,keeps_from_taking:why}=this.desk.data,take=button("button take-over","T\
ake it over");take.disabled=!person||!!why,take.title=why??"",take.onclick=()=>this.take(),place.replaceChildren(words,take),
this.desk.fit.bring(place)}async take(){let{desk}=this;if(desk.deciding.busy||desk.deciding.going)return;await desk.deciding.
flushed();let item=desk.item.id,answer=await this.send("/bench/take");if(answer?.status!==200)return desk.say(answer?.body.
message??"The item was not taken over: no connection. Try again.");this.hear(null,item),desk.deciding.go("open",item)}send(path){
return postOnce(path,{person:this.desk.data.person,item:this.desk.item.id})}};var COVERS='[role="dialog"], [role="listbox"], [data-baseweb="popover"] [role="menu"]',TYPING="data-benchwright-typing";var typesInto=node=>!!node?.isContentEditable||/^(INPUT|TEXTAREA|SELECT)$/.test(node?.tagName??"")||document.body.hasAttribute(
TYPING),isCovered=root=>[...document.querySelectorAll(COVERS)].some(node=>!root.contains(node)&&node.getClientRects().length),
hearKeys=(rootOf,whileTyping2,whileReading2)=>{let heard=event=>{if(event.isComposing||event.keyCode===229||event.defaultPrevented)
return;let root=rootOf(),at=event.composedPath()[0];(typesInto(at)?root.contains(at)&&whileTyping2(event,at):!isCovered(
root)&&whileReading2(event,at))&&(event.preventDefault(),event.stopPropagation())};return document.addEventListener("key\
down",heard,{capture:!0}),()=>document.removeEventListener("keydown",heard,{capture:!0})},hasModifier=event=>event.ctrlKey||
event.metaKey||event.altKey;var LETTERS={a:desk=>desk.deciding.decide("accept"),x:desk=>desk.discard.open("discard"),k:desk=>desk.discard.open("skip"),
n:desk=>desk.deciding.leave("next"),b:desk=>desk.deciding.leave("back"),u:desk=>desk.deciding.undo(),q:desk=>desk.enter(
"question"),w:desk=>desk.enter("answer"),s:desk=>desk.enter("sentences"),c:desk=>desk.enter("remark"),e:desk=>desk.paper.
selecting.add()||desk.claims.addSpot(),f:desk=>desk.paper.finding.open(),d:desk=>desk.card.toggleDiff(),h:desk=>desk.card.
history.toggle(),g:desk=>desk.claims.turn(),m:desk=>desk.claims.toOpen(),l:desk=>desk.questions.turn(),"[":desk=>desk.paper.
jump(-1),"]":desk=>desk.paper.jump(1),p:desk=>desk.paper.turnView()},ARROWS='[role="radiogroup"], [role="tablist"], [rol\
e="slider"], [role="grid"]',listen=desk=>hearKeys(()=>desk.root,(event,at)=>whileTyping(desk,event,at),(event,at)=>whileReading(
desk,event,at)),whileTyping=(desk,event,at)=>event.key==="Escape"?(at.classList.contains("comment")?desk.discard.close():
at.classList.contains("find-words")?desk.paper.finding.close():at.classList.contains("claim-fix")?desk.claims.fixed(!1):
at.classList.contains("ask-words")?desk.questions.leave(at):desk.leaveBox(at),!0):event.key!=="Enter"?!1:at.classList.contains(
"find-words")?(desk.paper.finding.step(event.shiftKey?-1:1),!0):at.classList.contains("sentences")?(event.repeat||desk.addTyped(
event.shiftKey),!0):at.classList.contains("comment")?(event.repeat||desk.discard.confirm(),!0):at.classList.contains("cl\
aim-fix")&&!event.shiftKey&&!event.ctrlKey&&!event.metaKey?(event.repeat||desk.claims.fixed(!0),!0):event.ctrlKey||event.
metaKey?(event.repeat||(at.classList.contains("remark")?desk.comments.send():desk.deciding.decide("accept")),!0):!1,whileReading=(desk,event,at)=>{
let{key}=event;if(hasModifier(event))return!1;let onButton=at?.closest?.("button, summary, a[href], [role=radio]");if(desk.
discard.isOpen){let number=/^[1-9]$/.test(key)?Number(key):0;if(key==="Escape")desk.discard.close();else if(number)desk.
discard.choose(number-1);else if(key==="Enter"&&!(onButton&&desk.root.contains(onButton)&&!onButton.matches(".reason")))
event.repeat||desk.discard.confirm();else return!!LETTERS[key.toLowerCase()];return!0}if(desk.feedback.isOpen&&key==="En\
ter"&&!onButton)return event.repeat||desk.feedback.next(),!0;if(desk.questions.key(key,event.repeat)||desk.claims.focused&&
!(key==="Enter"&&onButton)&&desk.claims.key(key,event.repeat))return!0;if(desk.claims.focused&&key==="Escape")return focused(
desk.root)?.blur(),!0;if(desk.paper.onPages&&!at.closest?.(ARROWS)&&desk.paper.pages.key(key)||!event.shiftKey&&desk.opinions.
key(key,event.repeat))return!0;let act=event.shiftKey&&/^[a-z]$/i.test(key)?null:LETTERS[key.toLowerCase()];return act?(event.
repeat||act(desk),!0):!1};var sameAnswer=(a,b)=>JSON.stringify(a??null)===JSON.stringify(b??null),answerWords=answer=>Array.isArray(answer)?answer.
join(", "):String(answer??"–"),LabelQuestions=class{constructor(desk){this.desk=desk,this.part=find(desk.root,".questi\
ons-part"),this.list=find(desk.root,".questions-list"),this.given={}}get places(){return[...this.list.children]}get rows(){
return this.desk.data?.label_questions??[]}get stored(){return this.clean(this.desk.data?.decision?.label_answers??this.
desk.item?.labels?.label_answers??{})}open(answers=this.stored){this.given=this.clean(answers??{}),this.draw()}clean(answers){
let found={};for(let row of this.rows){let answer=answers[row.name];if(row.kind==="text"&&typeof answer=="string"&&answer.
trim())found[row.name]=answer;else if(row.kind==="rating"&&typeof answer=="number"&&Number.isInteger(answer)&&answer>=1&&
answer<=row.top)found[row.name]=answer;else if(row.kind==="one"&&typeof answer=="string"&&row.choices.includes(answer))found[row.
name]=answer;else if(row.kind==="several"&&Array.isArray(answer)){let chosen=row.choices.filter(choice=>answer.includes(
choice));chosen.length&&(found[row.name]=chosen)}}return found}get values(){return this.rows.length?this.clean(this.given):
null}isSame(answers){return sameAnswer(this.clean(answers??{}),this.values??{})}get changed(){return!sameAnswer(this.values??
{},this.stored)}get missing(){let values=this.values??{};return this.rows.findIndex(row=>row.required&&values[row.name]===
void 0)}draw(){this.drawn=JSON.stringify(this.rows),this.part.hidden=!this.rows.length,this.list.replaceChildren(...this.
rows.map((row,n)=>this.row(row,n))),this.enable(this.desk.mayEdit)}refresh(){this.drawn!==JSON.stringify(this.rows)&&this.
open(this.given)}row(row,n){let place=el("div","ask");place.tabIndex=0,place.dataset.name=row.name;let text=foreign("spa\
n","ask-text",row.text);text.id=`desk-ask-${n}`;let head=el("div","ask-head");return head.append(text),row.required&&head.
append(el("span","chip ask-required","required")),row.kind==="several"&&head.append(el("span","faint","any number")),place.
setAttribute("role",row.kind==="one"||row.kind==="rating"?"radiogroup":"group"),place.setAttribute("aria-labelledby",text.
id),row.required&&place.setAttribute("aria-required","true"),place.append(head,row.kind==="text"?this.box(row):this.choices(
row)),place}choices(row){let line=el("div",row.kind==="rating"?"ask-choices rating":"ask-choices");return this.optionsOf(
row).forEach((value,at)=>{let choice=button("small choice");choice.tabIndex=-1,choice.setAttribute("role",row.kind==="se\
veral"?"checkbox":"radio"),row.kind!=="rating"&&at<9&&choice.append(el("kbd","",String(at+1))," "),choice.append(foreign(
"span","",String(value))),choice.onclick=()=>this.choose(row,value),line.append(choice)}),this.mark(row,line),line}box(row){
let box=el("textarea","ask-words");return box.rows=1,box.dir="auto",box.setAttribute("aria-labelledby",`desk-ask-${this.
rows.indexOf(row)}`),box.value=String(this.given[row.name]??""),box.oninput=()=>{this.given[row.name]=box.value,this.desk.
touched()},box.onblur=()=>this.desk.keeper.flush(),box}optionsOf(row){return row.kind==="rating"?Array.from({length:row.
top},(_,n)=>n+1):row.choices}mark(row,line){let answer=this.given[row.name],options=this.optionsOf(row);findAll(line,".c\
hoice").forEach((choice,at)=>{let isOn=row.kind==="several"?Array.isArray(answer)&&answer.some(one=>one===options[at]):answer===
options[at];choice.setAttribute("aria-checked",String(isOn))})}choose(row,value,isKept=!1){if(!this.desk.mayEdit)return;
let now=this.given[row.name];if(row.kind==="several"){let before=Array.isArray(now)?now:[],isOn=before.some(one=>one===value);
this.given[row.name]=row.choices.filter(choice=>choice===value?!isOn:before.includes(choice))}else now===value&&!isKept?
delete this.given[row.name]:this.given[row.name]=value;this.settled(row)}settled(row){let place=this.places[this.rows.indexOf(
row)];row.kind==="text"?find(place,"textarea",HTMLTextAreaElement).value=String(this.given[row.name]??""):this.mark(row,
find(place,".ask-choices")),this.desk.touched()}get at(){let active=focused(this.desk.root);return this.places.findIndex(
place=>place.contains(active))}focus(n){let place=this.places[n];place&&(place.focus({preventScroll:!0}),this.desk.fit.bring(
place))}turn(){if(!this.rows.length)return;let values=this.values??{},open=this.rows.findIndex(row=>values[row.name]===void 0);
this.focus(this.at>=0?(this.at+1)%this.rows.length:Math.max(0,open))}leave(box){this.places.find(place=>place.contains(box))?.
focus({preventScroll:!0})}key(key,isRepeat){let{at}=this,row=this.rows[at];if(!row)return!1;let digit=/^[0-9]$/.test(key)?
Number(key)||10:0,options=row.kind==="text"?[]:this.optionsOf(row);if(digit)!isRepeat&&options[digit-1]!==void 0&&this.choose(
row,options[digit-1],row.kind!=="several");else if(key==="ArrowDown"||key==="ArrowUp")this.focus(at+(key==="ArrowDown"?1:
-1));else if((key==="ArrowLeft"||key==="ArrowRight")&&options.length)this.move(row,key==="ArrowRight"?1:-1);else if(key===
"Backspace"||key==="Delete")delete this.given[row.name],this.desk.mayEdit&&this.settled(row);else if(key==="Escape")focused(
this.desk.root)?.blur();else if(key==="Enter"&&row.kind==="text")find(this.places[at],"textarea").focus();else if(key===
"Enter"&&this.onChoice<0)this.focus(at+1);else return!1;return!0}get onChoice(){let active=focused(this.desk.root);return active?.
classList.contains("choice")?[...active.parentElement?.children??[]].indexOf(active):-1}move(row,step){let options=this.
optionsOf(row),from=this.onChoice>=0?this.onChoice:row.kind==="several"?-1:options.indexOf(this.given[row.name]),to=from<
0&&step<0?options.length-1:(from+step+options.length)%options.length;findAll(this.places[this.at],".choice")[to].focus({
preventScroll:!0}),row.kind!=="several"&&this.choose(row,options[to],!0)}differences(a,b){let[had,has]=[this.clean(a??{}),
this.clean(b??{})];return this.rows.filter(({name})=>!sameAnswer(had[name],has[name])).map(({name,text})=>[text,answerWords(
had[name]),answerWords(has[name])])}answerLines(one,every){return this.rows.filter(({name})=>one.label_answers?.[name]!==
void 0).map(row=>{let answers=every.map(other=>other.label_answers?.[row.name]).filter(answer=>answer!==void 0),differs=row.
kind!=="text"&&answers.some(answer=>!sameAnswer(answer,one.label_answers?.[row.name])),line=el("p",differs?"opinion-answ\
er differs":"opinion-answer");return line.append(foreign("span","faint",row.text)," ",foreign("b","",answerWords(one.label_answers?.[row.
name]))),line})}enable(may){findAll(this.list,"button",HTMLButtonElement).forEach(choice=>{choice.disabled=!may}),findAll(
this.list,"textarea",HTMLTextAreaElement).forEach(box=>{box.readOnly=!may})}};var LabelChoices=class{constructor(desk){this.desk=desk,this.part=find(desk.root,".labels-part"),this.list=find(desk.root,
".labels-list"),this.chosen={}}get rows(){return this.desk.item?.taxonomy??[]}open(chosen={}){this.chosen=Object.fromEntries(
Object.entries(chosen??{}).filter(([name,value])=>this.rows.some(row=>row.name===name&&row.value!==value&&row.values.some(
one=>one.value===value)))),this.draw()}draw(){this.part.hidden=!this.rows.length,this.list.replaceChildren(...this.rows.
map(row=>this.row(row)))}row(row){let line=el("label","label-row"),box=el("select","label-box");box.name=row.name;let now=this.
chosen[row.name]??row.value;row.values.some(one=>one.value===now)||box.append(new Option("choose","\0",!0,!0));for(let{value,
shown}of row.values)box.append(new Option(shown,value,!1,value===now));let about=el("span","faint"),tell=()=>{about.textContent=
row.values.find(one=>one.value===box.value)?.about??""};return tell(),box.onchange=()=>{box.value===row.value?delete this.
chosen[row.name]:this.chosen[row.name]=box.value,tell(),this.desk.touched(),this.desk.keepVisit()},line.append(el("span",
"",row.title),box,about),line}valuesOf(one){return one.taxonomy?Object.fromEntries(one.taxonomy.map(row=>[row.name,row.value])):
one.labels??{}}differences(before,after){let[had,has]=[this.valuesOf(before),this.valuesOf(after)],shown=value=>value===
""?"web":value??"–";return this.rows.filter(({name})=>name in had&&name in has&&had[name]!==has[name]).map(({name,title})=>[
title,`${shown(had[name])} `,shown(has[name])])}get changed(){return Object.keys(this.chosen).length>0}get values(){return this.
rows.length?Object.fromEntries(this.rows.map(row=>[row.name,this.chosen[row.name]??row.value]).filter(([,value])=>typeof value==
"string")):null}enable(may){findAll(this.list,"select",HTMLSelectElement).forEach(box=>{box.disabled=!may})}};var Rationale=class extends SideBox{constructor(desk){super(desk,"why",desk.find("because",HTMLTextAreaElement),desk.find(
"because-saved"))}open(){this.fill(this.data.opinions?.why)}};var WHOLE_OPINION=2e4,OpinionList=class{against="";loaded=null;shown=null;drawn="";constructor(desk){this.desk=desk,this.
part=find(desk.root,".opinions"),this.list=find(this.part,".opinions-list"),this.because=new Rationale(desk)}get given(){
return this.desk.data?.opinions?.given??[]}get isOn(){return!!this.desk.data?.opinions}get isOpen(){return!!this.desk.data?.
opinions?.is_open}get mayDecide(){return!this.isOn||this.isOpen}open(){this.part.hidden=!this.isOn,this.against="",this.
loaded=this.shown=null,this.isOn&&(this.because.open(),this.draw())}draw(){if(!this.isOn)return;find(this.part,".because\
-line").hidden=!this.isOpen,this.because.box.readOnly=!this.desk.data.person;let names=["",...this.given.map(one=>one.letter)];
find(this.part,".against").replaceChildren(...names.map(letter=>{let press=button("small",letter||"draft");return press.
setAttribute("role","radio"),press.setAttribute("aria-checked",String(this.against===letter)),press.onclick=()=>this.compare(
letter),press}));let scrolled=this.lines.map(line=>line.scrollTop);this.list.replaceChildren(...this.given.map((one,n)=>this.
row(one,n))),this.drawn===`${this.desk.item.id} ${this.against}`&&this.lines.forEach((line,n)=>{line.scrollTop=scrolled[n]??
0}),this.drawn=`${this.desk.item.id} ${this.against}`}get lines(){return[...this.list.querySelectorAll(".diff-line")]}row(one,n){
let node=el("li",["opinion",this.shown===n&&"current"].filter(Boolean).join(" "));node.dataset.letter=one.letter;let head=el(
"div","opinion-head"),edited=one.question!==this.draft.question||one.answers[0]!==this.draft.answers[0]||this.desk.labels.
differences(this.draft,one).length,said=one.decision==="discard"?"discarded":edited?"accepted, edited":"accepted";if(head.
append(el("span","badge",one.letter),el("span",`chip ${one.decision==="discard"?"discarded":"accepted"}`,said)),one.person&&
head.append(foreign("b","",one.person)),typeof one.seconds=="number"){let seconds=Math.max(1,Math.round(one.seconds)),time=seconds<
120?`${seconds} s`:`${Math.round(seconds/60)} min`;head.append(el("span",one.is_fast?"chip warn":"faint",one.is_fast?`de\
cided in ${time}`:time))}head.append(el("span","grow")),this.isOpen&&head.append(this.take(one,n)),node.append(head);for(let words of[
one.reason,one.comment].filter(Boolean))node.append(foreign("p","opinion-why",words));return node.append(...this.differences(
one),this.evidence(one,n),...this.desk.questions.answerLines(one,this.given)),this.loaded===n&&one.decision==="discard"?
node.append(el("p","faint","The opinion's text is in the boxes; x discards the item with the opinion's reason.")):this.loaded===
n&&node.append(el("p","faint","The opinion's text is in the boxes.")),node.onclick=event=>{event.target instanceof Element&&
event.target.closest("button")||this.look(n)},node}take(one,n){let press=button("small take-opinion");return press.append(
`Take ${one.letter} `,el("kbd","",String(n+1))),press.disabled=!this.desk.mayEdit,press.onclick=()=>this.load(n),press}get draft(){
return this.desk.item}get other(){return this.given.find(one=>one.letter===this.against)??this.draft}differences(one){let{
other}=this;if(one===other)return[["Question",one.question],["Answer",one.answers[0]??""]].map(([name,text])=>differenceLine(
name,text,text,WHOLE_OPINION));let changed=[...[["Question",other.question,one.question],["Answer",other.answers[0]??"",
one.answers[0]??""]].filter(([,before,after])=>before!==after),...this.desk.labels.differences(other,one)];return changed.
length?changed.map(([name,before,after])=>differenceLine(name,before,after,WHOLE_OPINION)):[el("p","faint",this.against?
`The same text as ${this.against}.`:"The same text as the draft.")]}evidence(one,n){let{added,missing}=compareSpans(this.
other.evidence,one.evidence),counts=[added.length&&`${added.length} added`,missing.length&&`${missing.length} left out`].
filter(Boolean).join(", "),same=one===this.other?`${one.evidence.length} ${one.evidence.length===1?"place":"places"}`:"t\
he same",press=button("plain opinion-evidence",`Evidence: ${counts||same}`);return press.title="Show it in the document \
( o )",press.onclick=()=>this.look(n),press}look(n){this.shown=n;let one=this.given[n],other=one===this.other?this.draft:
this.other,{added,missing}=compareSpans(other.evidence,one.evidence),spans=[...added.map(span=>({...span,kind:"added"})),
...missing.map(span=>({...span,kind:"left-out"}))];this.desk.paper.lookAt(spans),spans.length||this.desk.paper.marks(),this.
draw(),this.desk.fit.bring(this.list.children[n])}compare(letter){this.against=letter,this.draw(),this.shown!==null&&this.
look(this.shown)}load(n){let{desk}=this,one=this.given[n];if(!one||!this.isOpen||!desk.mayEdit)return;let aside=this.isOwn()?
{...desk.words,evidence:[...desk.evidence],labels:{...desk.labels.chosen},label_answers:desk.questions.values,loaded:this.
loaded}:null;this.loaded=n,this.fill(one.question,one.answers[0]??"",one.evidence,one.labels,one.label_answers),this.look(
n),aside&&this.offerBack(aside)}fill(question,answer,evidence,labels,label_answers){let{desk}=this;desk.boxes.fill("ques\
tion",question,question!==desk.item.question),desk.boxes.fill("answer",answer,answer!==(desk.item.answers[0]??"")),desk.
claims.asStored(),desk.labels.open(labels),label_answers&&desk.questions.open(label_answers),desk.setEvidence(evidence)}isOwn(){
let{desk}=this,{question,answer}=desk.words;return![this.draft,...this.given].some(one=>one.question===question&&(one.answers[0]??
"")===answer&&!Object.values(compareSpans(one.evidence,desk.evidence)).flat().length&&!desk.labels.differences(one,{labels:desk.
labels.values??{}}).length&&desk.questions.isSame(one.label_answers))}offerBack(aside){let place=this.desk.find("back"),
put=button("plain","Put them back");put.onclick=()=>{this.loaded=aside.loaded,this.fill(aside.question,aside.answer,aside.
evidence,aside.labels,aside.label_answers),this.draw()},place.replaceChildren(el("span","","Your own text was put aside."),
put),place.hidden=!1}chooseReason(){let one=this.loaded===null?void 0:this.given[this.loaded];if(one?.decision!=="discar\
d")return;let n=this.desk.data.reasons.indexOf(one.reason);n>=0?this.desk.discard.choose(n):this.desk.find("comment",HTMLInputElement).
value=one.reason}key(key,isRepeat){if(!this.isOn)return!1;let n=/^[1-9]$/.test(key)?Number(key)-1:-1;if(n>=0)isRepeat||this.
load(n);else if(key==="o")this.look(((this.shown??-1)+1)%this.given.length);else if(key==="v")this.compare(this.given[this.
given.findIndex(one=>one.letter===this.against)+1]?.letter??"");else if(key==="y"&&this.isOpen)this.desk.enter("because");else
return!1;return!0}get address(){return this.isOn?"/bench/adjudicate":"/bench/decide"}withReason(body){if(!this.isOn)return body;
let why=this.because.box.value.trim();return{...body,comment:[body.comment,why].filter(Boolean).join(`
`),seen:this.desk.data.opinions?.seen}}hold(){return this.isOn?this.because.keeper.hold():null}release(){this.isOn&&this.
because.keeper.release()}done({person,item}){this.isOn&&(forget(person,`why:${item}`),this.because.keeper.done())}leave(){
this.because.keeper.leave()}},compareSpans=(before,after)=>{let place=span=>`${span.document}:${span.start}:${span.end}`,
[had,has]=[new Set(before.map(place)),new Set(after.map(place))];return{added:after.filter(span=>!had.has(place(span))),
missing:before.filter(span=>!has.has(place(span)))}};var FeedbackNotice=class{constructor(desk){this.desk=desk,this.place=find(desk.root,".feedback")}get isOpen(){return!this.
place.hidden}show(found){if(this.place.hidden=!found,this.desk.root.classList.toggle("told",!!found),!found)return;this.
place.classList.toggle("right",found.is_right);let next=button("button primary onward","Go on ");next.disabled=!0,next.append(
el("kbd","","Enter")),next.onclick=()=>this.next();let row=el("div","row");row.append(next,el("span","grow"),el("span","\
faint",this.count(found))),this.place.replaceChildren(el("p","verdict-line",found.is_right?"Right.":"This decision is no\
t the expected one."),...this.lines(found),row),this.desk.fit.bring(this.place),this.mayGoOn(this.desk.deciding.free)}mayGoOn(may){
let[onward]=findAll(this.place,".onward",HTMLButtonElement);!this.isOpen||onward.disabled===!may||(onward.disabled=!may,
may&&onward.focus({preventScroll:!0}))}lines({flaw,where,why,gone,put,did,expected}){let line=(name,...nodes)=>{let node=el(
"p","told-line");return node.append(el("span","faint",name),...nodes),node},rows=[line("Injected error",el("span","",where?
`${flaw}, in the ${where}`:flaw)),line("What was changed",foreign("span","",why))];if(gone||put){let words=el("span","di\
ff-line foreign");words.dir="auto",gone&&words.append(write(el("del"),gone)," "),put&&words.append(write(el("ins"),put)),
rows.push(line("Words",words))}return[...rows,line("You",foreign("span","",did)),line("Expected",el("span","",expected))]}count({
done,n,right,passing}){return done<n?`${done} of ${n} done, ${right} right, ${passing} needed to pass`:right>=passing?`Q\
ualification passed: ${right} of ${n} right`:`${right} of ${n} right, ${passing} needed: another round follows`}next(){this.
desk.deciding.free&&this.desk.deciding.go("decided",this.desk.item.id)}};var AFTER_MS=1500,ReadingAhead=class{constructor(desk){this.desk=desk,this.timer=0}open(){let{bar,visit}=this.desk.data;
clearTimeout(this.timer),bar?.is_last_of_document&&visit&&(this.timer=setTimeout(()=>this.load(),AFTER_MS))}stop(){clearTimeout(
this.timer)}async load(){let{data,item}=this.desk,answer=await postOnce("/bench/ahead",{person:data.person,item:item.id,
kind:data.visit?.kind});answer?.status===200&&answer.body.document&&documentOf(answer.body.document).catch(()=>{})}};var ENDINGS={discard:{asks:"Why is it discarded",does:"Discard",back:"Keep"},skip:{asks:"Why do you skip it",does:"Skip",
back:"Stay"}},ReasonList=class{constructor(desk){this.desk=desk,this.place=desk.find("discard"),desk.find("discard-open").
onclick=()=>this.isOpen?this.close():this.open("discard"),desk.find("skip-open").onclick=()=>this.isOpen?this.close():this.
open("skip"),desk.find("confirm").onclick=()=>this.confirm(),desk.find("cancel").onclick=()=>this.close()}ending="discar\
d";reason="";get isOpen(){return!this.place.hidden}get reasons(){return(this.ending==="skip"?this.desk.data.skip_reasons:
this.desk.data.reasons)??[]}get maySkip(){let{data,seen,opinions}=this.desk;return!!data.skip_reasons?.length&&seen==="d\
rafted"&&!opinions.isOn}open(ending){let{desk}=this;if(!desk.deciding.mayDecide||ending==="skip"&&!this.maySkip)return;this.
ending=ending,this.reason="";let{asks,does,back}=ENDINGS[ending];desk.find("discard .label").textContent=asks,desk.find(
"discard-does").textContent=does.toLowerCase(),desk.find("confirm").textContent=does,desk.find("confirm").classList.toggle(
"danger",ending==="discard"),desk.find("cancel").textContent=back,desk.say(""),desk.find("comment",HTMLInputElement).value=
"",desk.find("reasons").replaceChildren(...this.reasons.map((words,n)=>{let choice=button("small reason");return choice.
setAttribute("role","radio"),choice.setAttribute("aria-checked","false"),n<9&&choice.append(el("kbd","",String(n+1))," "),
choice.append(words),choice.onclick=()=>this.choose(n),choice})),this.place.hidden=!1,this.place.focus({preventScroll:!0}),
ending==="discard"&&desk.opinions.chooseReason()}choose(n){let reason=this.reasons[n];reason!==void 0&&(this.reason=reason,
findAll(this.desk.root,".reasons .reason").forEach((choice,other)=>choice.setAttribute("aria-checked",String(other===n))),
this.place.focus({preventScroll:!0}))}confirm(){let comment=this.desk.find("comment",HTMLInputElement).value.trim();if(!this.
reason&&!comment)return this.desk.say("Choose a reason, or write one.");this.ending==="skip"?this.desk.deciding.skip([this.
reason,comment].filter(Boolean).join(": ")):this.desk.deciding.decide("discard",this.reason?{reason:this.reason,comment}:
{reason:comment})}close(refocus=!0){let open=this.isOpen;this.place.hidden=!0,open&&refocus&&focused(this.desk.root)?.blur()}};var BOXES=["question","answer"],isBox=name=>BOXES.some(box=>box===name),TextBoxes=class{constructor(desk){this.desk=desk,
this.touch={};for(let name of BOXES){let box=this.box(name);box.oninput=()=>{this.touch[name]=!0,this.grow(box),desk.touched()},
box.onblur=()=>desk.keeper.flush()}}box(name){return this.desk.find(`field .${name}`,HTMLTextAreaElement)}restart(item){
this.touch={},this.desk.evidence=[...item.evidence],this.fill("question",item.question),this.fill("answer",item.answers[0]??
"")}fill(name,text,touched=!1){let box=this.box(name);box.value!==text&&(box.value=text),this.touch[name]=touched,this.grow(
box)}grow(box){CSS.supports("field-sizing","content")||(box.style.height="auto",box.style.height=`${box.scrollHeight+2}p\
x`)}get words(){let{item}=this.desk;return{question:this.touch.question?this.box("question").value:item.question,answer:this.
touch.answer?this.box("answer").value:item.answers[0]??""}}get edited(){let{question,answer}=this.words,{item}=this.desk;
return question!==item.question||answer!==(item.answers[0]??"")}newest(){let{data,item}=this.desk;if(!data.person)return null;
let copy=newestDraft(data.person,subjectOf(data.blind?"own":"",item.id),data.scratch);return copy?copy.question===item.question&&
copy.answer===(item.answers[0]??"")&&JSON.stringify(copy.evidence)===JSON.stringify(item.evidence)&&(!copy.label_answers||
this.desk.questions.isSame(copy.label_answers))?null:copy:null}bringBack(copy){let{desk}=this;if(this.fill("question",copy.
question,copy.question!==desk.item.question),this.fill("answer",copy.answer,copy.answer!==(desk.item.answers[0]??"")),desk.
evidence=copy.evidence,copy.label_answers&&desk.questions.open(copy.label_answers),desk.after(),copy.revision!==desk.item.
revision&&!(desk.data.blind||desk.data.alone)){desk.base=copy.revision,desk.deciding.conflict(desk.item,`You wrote on re\
vision ${copy.revision}; the item is at revision ${desk.item.revision} now. Nothing of yours is lost.`);return}this.offerStored(
`Your unsaved text of ${clock(copy.at,!1)} is back.`),copy.local&&desk.keeper.typed()}ownWords({question,answers,evidence,
labels}){let{desk}=this,answer=answers[0]??"";question===desk.item.question&&answer===(desk.item.answers[0]??"")&&JSON.stringify(
evidence)===JSON.stringify(desk.item.evidence)&&!desk.labels.differences(desk.item,{labels}).length||(this.fill("questio\
n",question,question!==desk.item.question),this.fill("answer",answer,answer!==(desk.item.answers[0]??"")),desk.labels.open(
labels),desk.evidence=evidence,desk.after(),this.offerStored("The text of your opinion is in the boxes."))}offerStored(words){
let{desk}=this,place=desk.find("back"),put=button("plain","Put back the stored text");put.onclick=()=>{this.restart(desk.
item),desk.claims.asStored(),desk.labels.open(),desk.questions.open(),place.hidden=!0,desk.touched()},place.replaceChildren(
el("span","",words),put),place.hidden=!1}takeTyped({question,answers,evidence,label_answers}){this.fill("question",question,
!0),this.fill("answer",answers[0],!0),this.desk.evidence=evidence??[],label_answers&&this.desk.questions.open(label_answers),
this.desk.claims.asStored(),this.desk.touched()}putMachineBack(){let{machine}=this.desk.data;!this.desk.mayEdit||!machine||
(this.fill("question",machine.question,!0),this.fill("answer",machine.answers?.[0]??"",!0),this.desk.claims.asStored(),this.
desk.touched())}};var WindowFit=class{constructor(desk){this.desk=desk;let tree=desk.root.getRootNode();this.host=tree instanceof ShadowRoot?
tree.host:desk.root,this.now=()=>this.take(),window.addEventListener("resize",this.now),this.sized=new ResizeObserver(this.
now),this.sized.observe(desk.root);let around=this.host.closest('[data-testid="stMainBlockContainer"]');around&&this.sized.
observe(around)}take(){let main=this.host.closest('[data-testid="stMain"]'),top=this.desk.root.getBoundingClientRect().top+
(main?.scrollTop??0),least=Math.max(400,Math.min(560,window.innerHeight-90));this.desk.root.style.setProperty("--desk-he\
ight",`${Math.max(least,Math.floor(window.innerHeight-top-12))}px`),this.host.style.marginBottom="";let spare=main?main.
scrollHeight-main.clientHeight:0;spare>0&&spare<=120&&(this.host.style.marginBottom=`${-spare}px`)}raise(){this.desk.root.
getBoundingClientRect().bottom>window.innerHeight&&this.desk.root.scrollIntoView({block:"end"})}bring(node){let scroller=this.
desk.find("card-scroll"),[frame,box]=[scroller.getBoundingClientRect(),node.getBoundingClientRect()];box.top<frame.top||
box.height>frame.height?scroller.scrollTop+=box.top-frame.top-8:box.bottom>frame.bottom&&(scroller.scrollTop+=box.bottom-
frame.bottom+8)}stop(){this.sized.disconnect(),window.removeEventListener("resize",this.now)}};var LONG_WORDS=2e4,AT_REST=300,Desk=class{data;item;setTriggerValue;evidence=[];gone=!1;resting=0;base=0;seen="";receipt="";lost=null;drawnEvidence="";drawnItem="";hadClaims=!1;constructor(parent){
this.root=find(parent,".desk"),this.find=finder(this.root),this.boxes=new TextBoxes(this),this.paper=new DocumentPane(this.
root,{evidence:()=>this.evidence,mayEdit:()=>this.mayEdit,add:spans=>this.setEvidence([...this.evidence,...spans]),replace:(n,span)=>this.
setEvidence(this.evidence.map((one,other)=>other===n?span:one)),moved:()=>this.card.markCurrent(),person:()=>this.data.person,
item:()=>this.item.id,enter:name=>this.enter(name),leave:box=>this.leaveBox(box)}),this.card=new ItemCard(this),this.claims=
new ClaimList(this),this.labels=new LabelChoices(this),this.questions=new LabelQuestions(this),this.comments=new CommentThread(
this),this.opinions=new OpinionList(this),this.deciding=new Decisions(this),this.holding=new Hold(this),this.ahead=new ReadingAhead(
this),this.discard=new ReasonList(this),this.feedback=new FeedbackNotice(this),this.blind=new BlindAnswer(this),this.keeper=
new DraftKeeper(this),this.time=new ActiveTime,this.fit=new WindowFit(this),this.bind(),this.stopKeys=listen(this),dropOldDrafts()}get pressKey(){
return this.deciding.key}get labelAnswers(){return this.questions.values}hearHolder(held,item){this.holding.hear(held,item)}box(name){
return this.boxes.box(name)}get words(){return this.boxes.words}get edited(){return this.boxes.edited}get changed(){return this.
edited||this.labels.changed||this.questions.changed||JSON.stringify(this.evidence)!==JSON.stringify(this.item.evidence)}get hasOwnWords(){
return this.changed}bind(){this.find("accept").onclick=()=>this.deciding.decide("accept"),this.find("next").onclick=()=>this.
deciding.leave("next"),this.find("previous").onclick=()=>this.deciding.leave("back"),this.find("undo").onclick=()=>this.
deciding.undo(),this.stopLeaving=onLeave(()=>this.leaving())}leaving(){this.keepVisit(),this.paper.places.keep();for(let{
keeper}of[this,this.comments,this.opinions.because])keeper.last()}stop(){this.gone=!0,clearTimeout(this.resting),this.leaving(),
this.stopKeys(),this.paper.stop(),this.claims.stop(),this.time.stop(),this.holding.stop(),this.ahead.stop(),this.fit.stop(),
this.stopLeaving?.()}render({data,setTriggerValue}){this.setTriggerValue=setTriggerValue,this.deciding.receive(data)&&this.
draw(data)}draw(data){let before=this.item,fresh=data.item,person=this.data?.person;if(before?.id===fresh.id&&person===data.
person&&this.data.blind===!1&&data.blind)return;let sight=!!this.data?.blind==!!data.blind&&!!this.data?.alone==!!data.alone;
if(this.deciding.going&&before?.id===fresh.id)return;if(this.data=data,before&&before.id===fresh.id&&before.revision===fresh.
revision&&person===data.person&&sight){this.item={...fresh,question:before.question,answers:before.answers,evidence:before.
evidence},this.seen=fresh.status,this.holding.hear(data.held,fresh.id),this.lost&&this.say(`${this.lost.by} took this it\
em over: nothing was stored, and no other item follows in this list.`),this.lost=null,data.feedback&&this.feedback.show(
data.feedback),this.card.draw(),this.card.diff(),this.comments.draw(data.comments?.thread??[]),this.opinions.draw(),this.
questions.refresh(),this.buttons();return}if(before&&before.id===fresh.id&&person===data.person&&this.changed&&this.deciding.
spent!==`${before.id}:${before.revision}`)return this.changedMeanwhile(fresh);before&&(this.deciding.steps.isOn&&(this.deciding.
going=null),this.keepVisit(),this.keeper.leave(),this.comments.leave(),this.opinions.leave()),this.open(fresh)}changedMeanwhile(fresh){
let{words}=this;this.item=fresh;for(let name of BOXES)this.boxes.fill(name,words[name],!0);this.labels.draw(),this.questions.
refresh(),this.holding.hear(this.data.held,fresh.id),this.card.draw(),this.after(),this.deciding.appeared(),this.deciding.
conflict(fresh)}elsewhere(theirs,message){this.deciding.conflict({...theirs,isScratch:!0},message)}open(item){let{data}=this;
this.item?.id!==item.id&&(this.deciding.spent=""),this.item=item,this.base=item.revision,this.seen=item.status,this.keeper.
knows(data.scratch?.saved_at??""),this.boxes.restart(item),this.say(""),this.saved(this.receipt?`last: ${this.receipt}`:
""),this.receipt="",this.discard.close(!1),this.deciding.hideConflict(),showLost(this),this.holding.open(data.held,item.
id),this.find("back").hidden=!0,this.questions.open();let visit=memory.get(visitKey(data.person,item.id,item.revision)),
copy=this.boxes.newest();this.claims.draw(visit?.claims),this.labels.open(visit?.labels),this.time.start(Math.max(data.scratch?.
seconds??0,copy?.seconds??0,visit?.seconds??0));let at=focused(this.root);at&&this.root.contains(at)&&at.blur(),this.find(
"card-scroll").scrollTop=0,this.find("sentences",HTMLInputElement).value="",this.find("sentences-hint").hidden=!0,this.card.
draw(),this.comments.open(),this.opinions.open(),this.paper.open(data.documents),this.ahead.open(),this.after(),copy?this.
boxes.bringBack(copy):data.decision?.words&&!this.opinions.isOn&&this.boxes.ownWords(data.decision.words),this.deciding.
appeared(),this.buttons(),this.feedback.show(data.feedback??null),this.fit.take(),this.fit.raise(),this.root.dataset.deskItem=
item.id,this.holding.resume(item.id)}get on(){return this.data?.blind?"own":""}get mayEdit(){return!!this.data?.person&&
this.opinions.mayDecide&&!this.deciding.busy&&!this.deciding.going}take(theirs){let{data}=this;this.seen=theirs.status??
this.seen,this.item={...this.item,status:this.seen,revision:theirs.revision,question:theirs.question,answers:theirs.answers,
evidence:theirs.evidence??[],taxonomy:theirs.taxonomy??this.item.taxonomy},this.base=theirs.revision,this.boxes.restart(
this.item),this.claims.draw(),this.labels.open(),this.keeper.done(),forget(data.person,this.item.id),this.deciding.spent=
"",this.deciding.appeared(),this.card.draw(),this.after(),this.keeper.typed(),this.buttons()}setEvidence(spans){if(!this.
mayEdit||this.data.blind)return;let order=new Map(this.data.documents.map((one,n)=>[one.id,n])),once=new Map(spans.map(span=>[
`${span.document}:${span.start}:${span.end}`,{document:span.document,start:span.start,end:span.end}]));this.evidence=[...once.
values()].sort((a,b)=>(order.get(a.document)??99)-(order.get(b.document)??99)||a.start-b.start||a.end-b.end),this.touched()}touched(){
this.find("back").hidden=!0,this.say(""),this.after(),this.keeper.typed()}after(){let{question,answer}=this.words;clearTimeout(
this.resting),question.length+answer.length>LONG_WORDS?this.resting=setTimeout(()=>this.rested(),AT_REST):this.rested();
let print=JSON.stringify(this.evidence);print===this.drawnEvidence&&this.drawnItem===this.item.id||(this.drawnEvidence=print,
this.drawnItem=this.item.id,this.paper.marks(),this.card.evidence())}rested(){this.card.diff(),this.card.hints(),this.card.
rag(),this.claims.settled()}setAnswer(text){this.boxes.fill("answer",text,!0),this.touched()}keepVisit(){let{data,item}=this;
!data?.person||!item||this.deciding.spent===`${item.id}:${item.revision}`||memory.set(visitKey(data.person,item.id,item.
revision),{seconds:this.time.seconds,claims:[...this.claims.states],labels:this.labels.chosen,at:Date.now()})}enter(name){
let box=this.find(isBox(name)?`field .${name}`:name);this.hadClaims=this.claims.focused,box.focus(),box.setSelectionRange(
box.value.length,box.value.length),this.find("card-scroll").contains(box)&&this.fit.bring(box)}leaveBox(box){box.blur(),
this.hadClaims&&this.claims.list.focus({preventScroll:!0}),this.hadClaims=!1}async addTyped(replaceAll){let{found}=this.
paper;if(await found?.numbered,this.paper.found!==found)return;let box=this.find("sentences",HTMLInputElement),hint=this.
find("sentences-hint");if(hint.hidden=!0,!(!box.value.trim()||!this.paper.found||!this.mayEdit))try{let spans=spansFromNumbers(
box.value,this.paper.found);this.setEvidence(replaceAll?spans:[...this.evidence,...spans]),box.value="",this.leaveBox(box);
let n=this.evidence.findIndex(one=>one.document===spans[0].document&&one.start===spans[0].start);n>=0&&this.paper.jumpTo(
n,{onlyIfHidden:!0})}catch(error){hint.textContent=error instanceof Error?error.message:String(error),hint.hidden=!1}}say(words){
this.find("said").textContent=words,this.find("said").hidden=!words}saved(words,trouble=!1){this.find("saved").textContent=
words||(this.data?.person?"":"Give your name first: decisions are stored under it."),this.find("saved").title=words,this.
find("saved").classList.toggle("trouble",trouble)}buttons(){let{deciding,data}=this;if(!data)return;let may=deciding.mayDecide;
for(let name of["accept","discard-open","confirm","skip-open"])this.find(name,HTMLButtonElement).disabled=!may;for(let name of[
"next","undo"])this.find(name,HTMLButtonElement).disabled=!deciding.free;this.find("previous",HTMLButtonElement).disabled=
!deciding.free||!deciding.leads("back"),this.find("skip-open").hidden=!this.discard.maySkip,this.feedback.mayGoOn(deciding.
free),this.box("question").readOnly=!this.mayEdit||!!(data.blind||data.alone),this.box("answer").readOnly=!this.mayEdit,
this.find("sentences",HTMLInputElement).readOnly=!this.mayEdit,this.labels.enable(this.mayEdit&&!data.blind),this.questions.
enable(this.mayEdit);for(let fix of findAll(this.root,".claim-fix",HTMLTextAreaElement))fix.readOnly=!this.mayEdit}};var review_default=mount(parent=>new Desk(parent));export{review_default as default};
